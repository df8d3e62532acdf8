//! Which generation a processor is of, by its model name: AMD's documents draw the line at Zen and
//! Haswell, whose ports complete PCIe atomics. What a name does not say is not known.

/// Which side of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Generation {
    /// Zen, Haswell or later.
    Since,
    /// Earlier.
    Before,
}

pub(super) fn generation(model: &str) -> Option<Generation> {
    let plain = model.replace("(R)", "").replace("(TM)", "").replace("(tm)", "");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let has = |word: &str| words.contains(&word);
    if has("AMD") {
        return amd(&words);
    }
    if has("Xeon") {
        return xeon(&words);
    }
    if has("Core") || plain.contains("Core2") {
        return core(&words);
    }
    None
}

/// All Ryzen, Threadripper and EPYC are Zen; FX, Opteron, Phenom and the A series are earlier.
/// Athlons are of both sides.
fn amd(words: &[&str]) -> Option<Generation> {
    let any = |names: &[&str]| {
        words.iter().any(|word| {
            names.iter().any(|name| word.to_lowercase().starts_with(&name.to_lowercase()))
        })
    };
    if any(&["Ryzen", "EPYC", "Threadripper"]) {
        return Some(Generation::Since);
    }
    any(&["FX-", "FX", "Opteron", "Phenom", "Sempron", "A4-", "A6-", "A8-", "A10-", "A12-"])
        .then_some(Generation::Before)
}

/// E3, E5 and E7 count their versions (v3 is Haswell); the metals and W came later; letters before
/// four digits (X5670) are of the time before.
fn xeon(words: &[&str]) -> Option<Generation> {
    let later = ["Gold", "Silver", "Bronze", "Platinum", "Max"];
    if words.iter().any(|word| later.contains(word)) {
        return Some(Generation::Since);
    }
    // W-2145, D-1541, E-2124: lines that began after Haswell
    let is_line = |word: &&str| {
        let (letter, number) = word.split_once('-').unwrap_or_default();
        matches!(letter, "W" | "D") || (letter == "E" && number.starts_with('2'))
    };
    if words.iter().any(is_line) {
        return Some(Generation::Since);
    }
    let is_numbered =
        words.iter().any(|word| ["E3-", "E5-", "E7-"].iter().any(|start| word.starts_with(start)));
    if is_numbered {
        let version = words.iter().find_map(|word| word.strip_prefix('v')?.parse::<u32>().ok());
        let is_later = version.is_some_and(|version| version >= 3);
        return Some(if is_later { Generation::Since } else { Generation::Before });
    }
    let is_old = |word: &&str| {
        let digits = word.trim_start_matches(['X', 'E', 'L', 'W']);
        digits.len() == 4 && word.len() == 5 && digits.bytes().all(|b| b.is_ascii_digit())
    };
    words.iter().any(is_old).then_some(Generation::Before)
}

/// `i7-4770`: the number before the last three digits is the generation, 4 is Haswell. Three
/// numbers of the fourth thousand are Ivy Bridge. Names without `i` are of the newest line.
fn core(words: &[&str]) -> Option<Generation> {
    if words.iter().any(|word| matches!(*word, "Ultra" | "3" | "5" | "7" | "9")) {
        return Some(Generation::Since);
    }
    if words.iter().any(|word| *word == "Core2" || word.starts_with("Core2")) {
        return Some(Generation::Before);
    }
    let number = words.iter().find_map(|word| {
        let word =
            ["i3-", "i5-", "i7-", "i9-"].iter().find_map(|start| word.strip_prefix(start))?;
        let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().ok()
    });
    match number {
        Some(4820 | 4930 | 4960) => Some(Generation::Before),
        Some(number) if number < 4000 => Some(Generation::Before),
        Some(_) => Some(Generation::Since),
        // `Core(TM) i7 CPU 920`: the first line had no dash
        None => words
            .windows(2)
            .any(|pair| pair[0].starts_with('i') && pair[1] == "CPU")
            .then_some(Generation::Before),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_the_side_of_the_line_or_nothing() {
        use Generation::{Before, Since};
        for (model, wanted) in [
            ("AMD Ryzen 9 7950X 16-Core Processor", Some(Since)),
            ("AMD EPYC 9474F 48-Core Processor", Some(Since)),
            ("AMD RYZEN AI MAX+ 395 w/ Radeon 8060S", Some(Since)),
            ("AMD Ryzen Threadripper PRO 5975WX 32-Cores", Some(Since)),
            ("AMD FX(tm)-8350 Eight-Core Processor", Some(Before)),
            ("AMD Athlon 3000G with Radeon Vega Graphics", None),
            ("Intel(R) Core(TM) i7-4770 CPU @ 3.40GHz", Some(Since)),
            ("Intel(R) Core(TM) i7-3770K CPU @ 3.50GHz", Some(Before)),
            ("Intel(R) Core(TM) i7-4930K CPU @ 3.40GHz", Some(Before)),
            ("Intel(R) Core(TM) i7-12700K", Some(Since)),
            ("13th Gen Intel(R) Core(TM) i9-13900K", Some(Since)),
            ("Intel(R) Core(TM) i7 CPU         920  @ 2.67GHz", Some(Before)),
            ("Intel(R) Core(TM) Ultra 7 265K", Some(Since)),
            ("Intel(R) Core(TM)2 Quad CPU    Q6600  @ 2.40GHz", Some(Before)),
            ("Intel(R) Xeon(R) CPU E5-2670 v2 @ 2.50GHz", Some(Before)),
            ("Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz", Some(Before)),
            ("Intel(R) Xeon(R) CPU E5-2690 v4 @ 2.60GHz", Some(Since)),
            ("Intel(R) Xeon(R) CPU           X5670  @ 2.93GHz", Some(Before)),
            ("Intel(R) Xeon(R) Platinum 8480+", Some(Since)),
            ("Intel(R) Xeon(R) W-2145 CPU @ 3.70GHz", Some(Since)),
            ("Intel(R) Xeon(R) CPU D-1541 @ 2.10GHz", Some(Since)),
            ("Intel(R) N100", None),
            ("Common KVM processor", None),
        ] {
            assert_eq!(generation(model), wanted, "{model}");
        }
    }
}
