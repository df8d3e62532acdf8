//! Rate over size as SVG, both axes logarithmic. A curve is a list of points; peaks are lines across.

use std::fmt::Write as _;

/// A curve.
pub(super) struct Curve {
    /// What the legend calls it.
    pub(super) name: String,
    /// Size and rate; both above zero.
    pub(super) points: Vec<(f64, f64)>,
    /// Whether it is drawn thin, behind: earlier runs.
    pub(super) is_history: bool,
}

/// A published peak.
pub(super) struct Line {
    /// What it is and who says so.
    pub(super) name: String,
    /// Its rate.
    pub(super) rate: f64,
}

/// What the axes say.
pub(super) struct Axes<'a> {
    /// The title above.
    pub(super) title: &'a str,
    /// Below the horizontal axis.
    pub(super) size: &'a str,
    /// Beside the vertical axis.
    pub(super) rate: &'a str,
}

/// The picture. Empty axes where there is no point.
pub(super) fn svg(axes: &Axes<'_>, curves: &[Curve], lines: &[Line]) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let sizes = Scale::over(points().map(|point| point.0), (LEFT, WIDTH - RIGHT));
    let rates = points().map(|point| point.1).chain(lines.iter().map(|line| line.rate));
    let rates = Scale::over(rates, (HEIGHT - BOTTOM, TOP));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n\
         <title>{title}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{title}</text>\n",
        title = escaped(axes.title),
    );
    grid(&mut text, &sizes, &rates, axes);
    for (place, curve) in curves.iter().enumerate() {
        draw(&mut text, curve, COLOURS[place % COLOURS.len()], (&sizes, &rates));
    }
    for line in lines {
        let y = rates.place(line.rate);
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#555\" \
             stroke-dasharray=\"6 4\"/>\n<text x=\"{}\" y=\"{:.1}\" fill=\"#555\" \
             text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            WIDTH - RIGHT,
            y - 5.0,
            escaped(&line.name),
        );
    }
    legend(&mut text, curves);
    text.push_str("</svg>\n");
    text
}

fn grid(text: &mut String, sizes: &Scale, rates: &Scale, axes: &Axes<'_>) {
    for (value, place) in rates.marks() {
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{place:.1}\" y2=\"{place:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            place + 4.0,
            short(value),
        );
    }
    for (value, place) in sizes.marks() {
        let _ = writeln!(
            text,
            "<line x1=\"{place:.1}\" x2=\"{place:.1}\" y1=\"{TOP}\" y2=\"{}\" stroke=\"#eee\"/>\n\
             <text x=\"{place:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 16.0,
            short(value),
        );
    }
    let middle = f64::midpoint(TOP, HEIGHT - BOTTOM);
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
         <text transform=\"translate(14 {middle:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        f64::midpoint(LEFT, WIDTH - RIGHT),
        HEIGHT - BOTTOM + 34.0,
        escaped(axes.size),
        escaped(axes.rate),
    );
}

fn draw(text: &mut String, curve: &Curve, colour: &str, scales: (&Scale, &Scale)) {
    let places: Vec<(f64, f64)> =
        curve.points.iter().map(|(x, y)| (scales.0.place(*x), scales.1.place(*y))).collect();
    let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let (width, opacity) = if curve.is_history { (1, 0.35) } else { (2, 1.0) };
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
         opacity=\"{opacity}\"/>",
        path.join(" ")
    );
    if !curve.is_history {
        for (x, y) in places {
            let _ =
                writeln!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
    }
}

fn legend(text: &mut String, curves: &[Curve]) {
    let mut y = TOP + 14.0;
    for (place, curve) in curves.iter().enumerate().filter(|(_, curve)| !curve.is_history) {
        let colour = COLOURS[place % COLOURS.len()];
        let _ = writeln!(
            text,
            "<rect x=\"{}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\n\
             <text x=\"{}\" y=\"{y:.1}\">{}</text>",
            LEFT + 10.0,
            y - 9.0,
            LEFT + 26.0,
            escaped(&curve.name),
        );
        y += 16.0;
    }
}

/// A logarithmic scale between whole powers of ten.
struct Scale {
    low: f64,
    high: f64,
    places: (f64, f64),
}

impl Scale {
    fn over(values: impl Iterator<Item = f64>, places: (f64, f64)) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| *value > 0.0) {
            low = low.min(value.log10().floor());
            high = high.max(value.log10().ceil());
        }
        if !low.is_finite() {
            (low, high) = (0.0, 1.0);
        }
        if high <= low {
            high = low + 1.0;
        }
        Self { low, high, places }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.max(f64::MIN_POSITIVE).log10() - self.low) / (self.high - self.low);
        self.places.0 + share * (self.places.1 - self.places.0)
    }

    fn marks(&self) -> Vec<(f64, f64)> {
        let mut marks = Vec::new();
        let mut power = self.low;
        while power <= self.high {
            let value = 10_f64.powf(power);
            marks.push((value, self.place(value)));
            power += 1.0;
        }
        marks
    }
}

/// `1 k`, `10 M`, `1 G`.
fn short(value: f64) -> String {
    let (scaled, unit) = match value {
        value if value >= 1e12 => (value / 1e12, " T"),
        value if value >= 1e9 => (value / 1e9, " G"),
        value if value >= 1e6 => (value / 1e6, " M"),
        value if value >= 1e3 => (value / 1e3, " k"),
        value => (value, ""),
    };
    format!("{}{unit}", (scaled * 1000.0).round() / 1000.0)
}

/// Text that may stand in XML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 50.0;
const COLOURS: [&str; 6] = ["#c62828", "#1565c0", "#2e7d32", "#ef6c00", "#6a1b9a", "#00838f"];
