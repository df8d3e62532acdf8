//! The drawing in a page of one file: pointing at a package shows what it needs and what needs
//! it; nothing is loaded from anywhere.

use super::{Graph, escaped, svg};

pub(super) fn html(graph: &Graph, title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         <p>{} packages; a thick frame marks what rocm.toml asks for. Point at a package to see \
         what it needs (red) and what needs it (blue).</p>\n\
         <input id=\"find\" placeholder=\"find a package\" aria-label=\"find a package\">\n\
         {}<script>{SCRIPT}</script>\n</body>\n</html>\n",
        graph.nodes.len(),
        svg::svg(graph, title),
        title = escaped(title),
    )
}

const STYLE: &str = "body{font-family:sans-serif;margin:1em}svg{display:block;margin-top:1em}\
path.needs{stroke:#c33;stroke-width:2}path.needed{stroke:#36c;stroke-width:2}\
g.off{opacity:.15}g{cursor:pointer}";

const SCRIPT: &str = "\
for (const g of document.querySelectorAll('svg g')) {\
const at = g.id.slice(1);\
const mark = on => {\
for (const p of document.querySelectorAll('.from' + at)) p.classList.toggle('needs', on);\
for (const p of document.querySelectorAll('.to' + at)) p.classList.toggle('needed', on);};\
g.addEventListener('mouseenter', () => mark(true));\
g.addEventListener('mouseleave', () => mark(false));}\
document.getElementById('find').addEventListener('input', event => {\
const wanted = event.target.value.toLowerCase();\
for (const g of document.querySelectorAll('svg g'))\
 g.classList.toggle('off', !g.lastElementChild.textContent.toLowerCase().includes(wanted));});";
