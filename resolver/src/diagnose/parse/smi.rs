//! amd-smi (text, and both shapes of its JSON: a plain list, or a list under `gpu_data`) and
//! rocm-smi (JSON, CSV, table).
//!
//! Never taken from them: the instruction set of rocm-smi (`gfx9010`, `gfx11002` join the numbers
//! in decimal), and the driver's version where it is the kernel's own banner.

use serde_json::Value;

use crate::diagnose::facts::{Facts, RuntimeGpu};
use crate::host::facts::{GfxSource, Gpu, Partition, PciId};
use crate::host::lookup::ProductLookup;

pub(super) fn parse(text: &str, found: &mut Facts, products: &dyn ProductLookup) {
    let mut gpus: Vec<Gpu> =
        documents(text).iter().flat_map(|json| from_json(json, products)).collect();
    if gpus.is_empty() {
        gpus = from_text(text, products);
    }
    if gpus.is_empty() {
        gpus = from_table(text, products);
    }
    if gpus.is_empty() {
        gpus = from_csv(text, products);
    }
    if !gpus.is_empty() {
        found.host.gpus.get_or_insert(gpus);
    }
}

/// The JSON documents in a text; amd-smi writes warnings around its own.
fn documents(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(['{', '[']).map(|start| at + start) {
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                at = start + stream.byte_offset().max(1);
                found.push(value);
            }
            _ => at = start + 1,
        }
        if found.len() > MOST {
            break;
        }
    }
    found
}

const MOST: usize = 200;

fn from_json(json: &Value, products: &dyn ProductLookup) -> Vec<Gpu> {
    let rows = match json {
        Value::Array(rows) => rows.iter().collect(),
        Value::Object(map) => match map.get("gpu_data") {
            Some(Value::Array(rows)) => rows.iter().collect(),
            _ => {
                map.iter().filter(|(key, _)| key.starts_with("card")).map(|(_, row)| row).collect()
            }
        },
        _ => Vec::new(),
    };
    rows.into_iter().filter_map(|row: &Value| of_row(row, products)).collect()
}

fn of_row(row: &Value, products: &dyn ProductLookup) -> Option<Gpu> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if let Some(asic) = row.get("asic") {
        let name = asic.get("market_name").and_then(text);
        let device = asic.get("device_id").and_then(text);
        let gfx = asic.get("target_graphics_version").and_then(text);
        let mut gpu = gpu(device.as_deref(), name, products);
        if let Some(gfx) = gfx.and_then(|gfx| gfx.parse().ok()) {
            gpu.gfx = Some(gfx);
            gpu.gfx_source = Some(GfxSource::Kfd);
        }
        gpu.address = row
            .get("bus")
            .and_then(|bus| bus.get("bdf"))
            .and_then(text)
            .and_then(|bdf| bdf.parse().ok());
        let mode = row
            .get("partition")
            .and_then(|part| part.get("compute_partition").or(part.get("accelerator_partition")))
            .and_then(text);
        gpu.partition = partition(mode);
        return Some(gpu);
    }
    let device = row.get("Device ID").or(row.get("Card Model")).and_then(text)?;
    let name =
        row.get("Device Name").or(row.get("Card Series")).or(row.get("Card series")).and_then(text);
    let mut gpu = gpu(Some(&device), name, products);
    gpu.address = row.get("PCI Bus").and_then(text).and_then(|bus| bus.to_lowercase().parse().ok());
    if let Some(mes) = row.get("MES firmware version").and_then(text) {
        let number = mes.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        gpu.firmware.extend(number.map(|number| ("mes".to_owned(), format!("0x{number:x}"))));
    }
    Some(gpu)
}

fn partition(mode: Option<String>) -> Option<Partition> {
    let mode = mode.filter(|mode| !matches!(mode.as_str(), "N/A" | "SPX"))?;
    Some(Partition { index: 0, count: 1, compute_mode: Some(mode), memory_mode: None })
}

fn gpu(device: Option<&str>, name: Option<String>, products: &dyn ProductLookup) -> Gpu {
    let id = device.and_then(|text| u16::from_str_radix(text.trim().strip_prefix("0x")?, 16).ok());
    let pci = id.map(|device| PciId { device, revision: None });
    let table = pci.map(|id| products.by_pci(id)).unwrap_or_default();
    let gfx = table
        .first()
        .map(|product| product.gfx)
        .filter(|gfx| table.iter().all(|one| one.gfx == *gfx));
    if gfx.is_none()
        && let Some(name) = &name
    {
        let device = RuntimeGpu { name: name.clone(), ..RuntimeGpu::default() };
        return Gpu { pci, ..super::hip::gpu_of(&device, products) };
    }
    Gpu {
        gfx,
        gfx_source: gfx.map(|_| GfxSource::PciTable),
        kind: gfx.and_then(|gfx| products.kind_of(gfx)),
        product: match table.as_slice() {
            [only] => Some(only.name.clone()),
            _ => None,
        },
        marketing_name: name,
        pci,
        ..Gpu::default()
    }
}

/// `GPU: 0` and indented `KEY: VALUE` lines of amd-smi.
fn from_text(text: &str, products: &dyn ProductLookup) -> Vec<Gpu> {
    let mut gpus = Vec::new();
    for block in
        text.split("\nGPU: ").filter_map(|block| block.strip_prefix("GPU: ").or(Some(block)))
    {
        let value = |key: &str| {
            let line = block.lines().find_map(|line| line.trim().strip_prefix(key));
            line.map(|value| value.trim_start_matches([':', ' ']).trim().to_owned())
        };
        let Some(name) = value("MARKET_NAME") else { continue };
        let mut gpu = gpu(value("DEVICE_ID").as_deref(), Some(name), products);
        if let Some(gfx) = value("TARGET_GRAPHICS_VERSION").and_then(|gfx| gfx.parse().ok()) {
            gpu.gfx = Some(gfx);
            gpu.gfx_source = Some(GfxSource::Kfd);
        }
        gpu.address = value("BDF").and_then(|bdf| bdf.parse().ok());
        gpu.partition = partition(value("COMPUTE_PARTITION").or(value("ACCELERATOR_PARTITION")));
        gpus.push(gpu);
    }
    gpus
}

/// `rocm-smi --showhw`: rows of `GPU NODE DID GUID GFX VER ...`.
fn from_table(text: &str, products: &dyn ProductLookup) -> Vec<Gpu> {
    let mut lines =
        text.lines().skip_while(|line| !(line.starts_with("GPU") && line.contains(" DID")));
    lines.next();
    lines
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .take_while(|words| words.first().is_some_and(|word| word.parse::<u32>().is_ok()))
        .filter_map(|words| {
            let device = words.iter().find(|word| word.starts_with("0x"))?;
            Some(gpu(Some(device), None, products))
        })
        .collect()
}

/// `rocm-smi --showproductname --csv`.
fn from_csv(text: &str, products: &dyn ProductLookup) -> Vec<Gpu> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("device,Card"));
    let Some(header) = lines.next() else { return Vec::new() };
    let column = header.split(',').position(|name| name.eq_ignore_ascii_case("card series"));
    let rows = lines.take_while(|line| line.starts_with("card"));
    let name = |line: &str| {
        let series = line.split(',').nth(column?)?;
        // `Arcturus GL-XL [AMD Instinct MI100]`
        let inner = series.split('[').nth(1).and_then(|rest| rest.split(']').next());
        Some(inner.unwrap_or(series).to_owned())
    };
    rows.map(|line| gpu(None, name(line), products)).collect()
}
