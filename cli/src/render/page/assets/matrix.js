'use strict';
// Filters the embedded matrix. All text is set as text, never as markup.
const data = JSON.parse(document.getElementById('data').textContent);
const VERDICTS = ['listed', 'built-not-listed', 'not-known', 'stated-no', 'known-bad'];
const WORDS = ['listed', 'built, not listed', 'not known', 'stated no', 'known bad'];
const SIGNS = ['✓', '○', '?', '✕', '!'];
const PLATFORMS = ['linux', 'windows', 'wsl'];
const FILTERS = ['product', 'os', 'rocm', 'driver', 'framework', 'version', 'python'];
const by = id => document.getElementById(id);

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// --- looking up -------------------------------------------------------------------------------

const maps = new WeakMap();
function cell(row, release) {
  if (!row) return undefined;
  let map = maps.get(row);
  if (!map) maps.set(row, map = new Map(row));
  return map.get(release);
}

// The first of several rows that has the release: own cells go before general ones.
function first(release, ...rows) {
  for (const row of rows) {
    const found = cell(row, release);
    if (found !== undefined) return found === null ? undefined : found;
  }
  return undefined;
}

const rank = judgement =>
  judgement === undefined ? 2 : VERDICTS.indexOf(data.judgements[judgement].verdict);
const kind = product => (product === null ? null : data.kinds[data.products[product].kind]);

// The better of two named cells; a judgement goes before silence of the same rank.
function better(a, b) {
  if (!a) return b;
  if (rank(a.judgement) !== rank(b.judgement)) return rank(a.judgement) < rank(b.judgement) ? a : b;
  return a.judgement === undefined ? b : a;
}

function onSystem(product, system, release) {
  return { what: `${data.products[product].name} on ${data.systems[system].name}`,
           judgement: cell(kind(product).gpu[system], release) };
}

function onAnySystem(product, release) {
  let best = null;
  for (const system of Object.keys(kind(product).gpu))
    best = better(best, onSystem(product, system, release));
  return best || { what: `${data.products[product].name} on any system` };
}

function ofSystem(product, system, release) {
  const own = kind(product);
  return { what: data.systems[system].name,
           judgement: first(release, own && own.system[system], data.general.system[system]) };
}

function ofDriver(product, driver, release) {
  const own = kind(product);
  return { what: `driver ${data.drivers[driver].name}`,
           judgement: first(release, own && own.driver[driver], data.general.driver[driver]) };
}

function ofFramework(chosen, framework, version, python, release) {
  const own = kind(chosen.product);
  const title = `${data.frameworks[framework].title} ${version}`;
  let best = null;
  for (const platform of platforms(chosen)) {
    const any = `${framework}|${version}|${platform}|`;
    const exact = python === null ? any : any + python;
    const judgement = first(release, own && own.framework[exact],
      data.general.framework[exact], data.general.framework[any]);
    const on = platform === 'linux' ? '' : ` (${platform})`;
    best = better(best, { what: title + (python ? `, Python ${python}` : '') + on, judgement });
  }
  return best;
}

function ofAnyVersion(chosen, framework, release) {
  let best = null;
  for (const version of data.frameworks[framework].versions)
    best = better(best, ofFramework(chosen, framework, version, chosen.python, release));
  return best;
}

const platforms = chosen =>
  chosen.os === null ? PLATFORMS : [data.systems[chosen.os].platform];

// What is asked for taken together: the worst of its parts.
function together(chosen, release) {
  const parts = [];
  if (chosen.product !== null)
    parts.push(chosen.os === null ? onAnySystem(chosen.product, release)
                                  : onSystem(chosen.product, chosen.os, release));
  if (chosen.os !== null) parts.push(ofSystem(chosen.product, chosen.os, release));
  if (chosen.driver !== null) parts.push(ofDriver(chosen.product, chosen.driver, release));
  if (chosen.framework !== null)
    parts.push(chosen.version === null
      ? ofAnyVersion(chosen, chosen.framework, release)
      : ofFramework(chosen, chosen.framework, chosen.version, chosen.python, release));
  return parts.length < 2 ? null : parts.reduce((a, b) => (rank(b.judgement) > rank(a.judgement) ? b : a));
}

// --- rows ---------------------------------------------------------------------------------------

function sections(chosen) {
  const places = list => list.map((_, place) => place);
  const here = list => places(list).filter(place => platforms(chosen).includes(list[place].platform));
  const all = [];
  if (together(chosen, 0))
    all.push({ title: 'What is asked for, taken together', together: true,
               rows: [{ name: 'worst of its parts', at: release => together(chosen, release) }] });
  if (chosen.product === null) {
    all.push({ title: chosen.os === null ? 'Products, on the best of all systems'
                                         : `Products on ${data.systems[chosen.os].name}`,
      rows: places(data.products).map(product => ({
        name: `${data.products[product].name} · ${data.products[product].gfx}`,
        at: release => chosen.os === null ? onAnySystem(product, release)
                                          : onSystem(product, chosen.os, release) })) });
  } else {
    const systems = chosen.os === null ? Object.keys(kind(chosen.product).gpu) : [chosen.os];
    all.push({ title: `${data.products[chosen.product].name} (${data.products[chosen.product].gfx}) on systems`,
      rows: systems.map(system => ({ name: data.systems[system].name,
        at: release => onSystem(chosen.product, system, release) })) });
  }
  all.push({ title: 'Operating systems',
    rows: (chosen.os === null ? places(data.systems) : [chosen.os]).map(system => ({
      name: data.systems[system].name, at: release => ofSystem(chosen.product, system, release) })) });
  all.push({ title: 'Drivers',
    rows: (chosen.driver === null ? here(data.drivers) : [chosen.driver]).map(driver => ({
      name: data.drivers[driver].name + (data.drivers[driver].platform === 'linux' ? '' : ` · ${data.drivers[driver].platform}`),
      at: release => ofDriver(chosen.product, driver, release) })) });
  const python = chosen.python ? ` with Python ${chosen.python}` : '';
  if (chosen.framework === null) {
    all.push({ title: `Frameworks, best of their versions${python}`,
      rows: places(data.frameworks).map(framework => ({ name: data.frameworks[framework].title,
        at: release => ofAnyVersion(chosen, framework, release) })) });
    return all;
  }
  const versions = chosen.version === null ? data.frameworks[chosen.framework].versions : [chosen.version];
  all.push({ title: `${data.frameworks[chosen.framework].title}${python}`,
    rows: versions.map(version => ({ name: `${data.frameworks[chosen.framework].title} ${version}`,
      at: release => ofFramework(chosen, chosen.framework, version, chosen.python, release) })) });
  if (chosen.version !== null && chosen.python === null)
    all.push({ title: `${data.frameworks[chosen.framework].title} ${chosen.version} by Python`,
      rows: data.pythons.map(python => ({ name: `Python ${python}`,
        at: release => ofFramework(chosen, chosen.framework, chosen.version, python, release) })) });
  return all;
}

const isDisputed = found =>
  found.judgement !== undefined && data.judgements[found.judgement].against.length > 0;

let shown = [];
function draw(chosen) {
  const releases = data.releases.map((_, place) => place)
    .filter(place => chosen.rocm === null || place === chosen.rocm);
  const isWide = releases.length === 1;
  const grid = element('table');
  grid.id = 'grid';
  const head = grid.createTHead().insertRow();
  head.append(element('th', 'ROCm', 'name'));
  for (const place of releases) {
    const release = data.releases[place];
    const th = element('th', undefined, isWide ? '' : 'release');
    th.append(element('span', release.version + (isWide ? ` (${release.date || 'day not found'}, ${release.line})` : '')));
    th.title = `${release.line}, ${release.date || 'day not found'}`;
    head.append(th);
  }
  shown = [];
  let rows = 0, disputed = 0;
  for (const section of sections(chosen)) {
    const body = element('tbody');
    for (const row of section.rows) {
      const cells = releases.map(place => [place, row.at(place)]);
      if (!cells.some(([, found]) => found.judgement !== undefined) && section.rows.length > 1) continue;
      if (chosen.disputed && !cells.some(([, found]) => isDisputed(found))) continue;
      const tr = body.insertRow();
      if (section.together) tr.className = 'together';
      tr.append(element('th', row.name, 'name'));
      for (const [place, found] of cells) {
        tr.append(tableCell(place, found, isWide));
        if (isDisputed(found)) disputed += 1;
      }
      rows += 1;
    }
    if (!body.rows.length) continue;
    const title = element('tr');
    const th = element('th', section.title, 'section');
    th.colSpan = releases.length + 1;
    title.append(th);
    body.prepend(title);
    grid.append(body);
  }
  by('grid').replaceWith(grid);
  by('count').textContent = `${rows} rows, ${shown.length} cells, ${disputed} of them where documents disagree`;
}

function tableCell(release, found, isWide) {
  const at = rank(found.judgement);
  const entry = data.judgements[found.judgement];
  const td = element('td', isWide ? undefined : entry ? SIGNS[at] : '·',
    `${entry ? VERDICTS[at] : 'silent'}${isDisputed(found) ? ' against' : ''}${isWide ? ' wide' : ''}`);
  td.dataset.at = shown.length;
  td.tabIndex = 0;
  shown.push({ release, found });
  if (isWide) {
    td.append(element('b', entry ? WORDS[at] : 'not known'), ` ${entry ? entry.why : 'nothing was read of it'} `);
    for (const quote of entry ? entry.quotes : []) td.append(source(quote), ' ');
    if (isDisputed(found)) td.append(element('b', ' documents disagree: '), ...entry.against.map(source));
  }
  return td;
}

function source(quote) {
  const document = data.documents[quote.document];
  const tag = element('span', `${document.key}, ${document.date}`, 'tag');
  tag.title = document.place;
  return tag;
}

// --- details --------------------------------------------------------------------------------------

function tell(td) {
  const { release, found } = shown[td.dataset.at];
  const entry = data.judgements[found.judgement];
  const panel = by('detail');
  const close = element('button', 'close');
  close.addEventListener('click', () => { panel.hidden = true; });
  const parts = [close, element('h3', `${found.what} with ROCm ${data.releases[release].version}`)];
  const line = element('p');
  line.append(element('b', entry ? WORDS[rank(found.judgement)] : 'not known',
    `verdict ${entry ? entry.verdict : 'silent'}`), ` ${entry ? entry.why : 'no document that was read speaks of it'}`);
  parts.push(line);
  if (entry) {
    if (entry.quotes.length) parts.push(quotes('Says so', entry.quotes, ''));
    if (entry.against.length) parts.push(quotes('Says otherwise', entry.against, 'against-list'));
  }
  panel.replaceChildren(...parts);
  panel.hidden = false;
  document.querySelectorAll('td.chosen').forEach(old => old.classList.remove('chosen'));
  td.classList.add('chosen');
}

function quotes(title, list, className) {
  const block = element('div', undefined, className);
  block.append(element('h3', title));
  const items = element('ul');
  for (const quote of list) items.append(quoted(quote));
  block.append(items);
  return block;
}

function quoted(quote) {
  const from = data.documents[quote.document];
  const commit = from.commit ? ` at ${from.commit.slice(0, 12)}` : '';
  const item = element('li', `${from.place}${commit}, read ${from.date}`);
  if (quote.said) item.append(element('div', quote.said));
  if (quote.confidence) item.append(element('div', quote.confidence, 'soft'));
  return item;
}

// --- lists ----------------------------------------------------------------------------------------

function facts(chosen) {
  const release = chosen.rocm === null ? null : data.releases[chosen.rocm].version;
  const ofRelease = fact => release === null || !fact.releases.length || fact.releases.includes(release);
  const product = chosen.product === null ? null : data.products[chosen.product].name;
  const disputes = data.disputes.filter(ofRelease)
    .filter(one => product === null || !one.products.length || one.products.includes(product)).map(dispute => {
    const item = element('li');
    item.append(element('b', `${dispute.about}: `), dispute.what + ' ', ...dispute.quotes.map(source));
    return item;
  });
  const gfx = chosen.product === null ? null : data.products[chosen.product].gfx;
  const driver = chosen.driver === null ? null : data.drivers[chosen.driver].name;
  const system = chosen.os === null ? null : data.systems[chosen.os].name;
  const failures = data.failures.filter(ofRelease)
    .filter(one => gfx === null || !one.gfx.length || one.gfx.includes(gfx))
    .filter(one => driver === null || one.drivers === null || one.drivers.includes(driver))
    .filter(one => system === null || !one.system || system.startsWith(one.system) || one.system.startsWith(system))
    .map(one => {
      const item = element('li');
      item.append(element('b', one.what), ` ${one.conditions.join(', ')}${one.instead ? `; take ${one.instead}` : ''} `,
        element('span', `${one.is_refused ? 'refused' : 'warned of'}, by ${one.basis} `, 'soft'), ...one.quotes.map(source));
      return item;
    });
  const none = () => element('li', 'none is known for what is asked', 'soft');
  by('disputes').replaceChildren(...(disputes.length ? disputes : [none()]));
  by('failures').replaceChildren(...(failures.length ? failures : [none()]));
}

// --- filters --------------------------------------------------------------------------------------

// Each filter's choices: value in the address, text.
function choices(framework) {
  const names = list => list.map(one => [one.name, one.name]);
  return {
    product: data.products.map(one => [one.name, `${one.name} · ${one.gfx}`]),
    os: names(data.systems),
    rocm: data.releases.map(one => [one.version, `${one.version}${one.date ? ' · ' + one.date : ''}`]),
    driver: data.drivers.map(one => [`${one.name}@${one.platform}`, one.platform === 'linux' ? one.name : `${one.name} (${one.platform})`]),
    framework: data.frameworks.map(one => [one.title, one.title]),
    version: framework === null ? [] : data.frameworks[framework].versions.map(one => [one, one]),
    python: data.pythons.map(one => [one, one]),
  };
}

function fill(id, options) {
  const select = by(id);
  const value = select.value;
  select.replaceChildren(new Option('any', ''), ...options.map(([value, text]) => new Option(text, value)));
  select.value = options.some(one => one[0] === value) ? value : '';
  select.disabled = options.length === 0;
}

function read() {
  const all = choices(null);
  const place = id => {
    const at = all[id].findIndex(one => one[0] === by(id).value);
    return at < 0 ? null : at;
  };
  const framework = place('framework');
  fill('version', choices(framework).version);
  return { product: place('product'), os: place('os'), rocm: place('rocm'), driver: place('driver'),
           framework, version: by('version').value || null, python: by('python').value || null,
           disputed: by('disputed').checked };
}

function update() {
  const chosen = read();
  const address = new URLSearchParams();
  for (const id of FILTERS) if (by(id).value) address.set(id, by(id).value);
  if (chosen.disputed) address.set('disputed', '1');
  history.replaceState(null, '', '#' + address);
  by('detail').hidden = true;
  draw(chosen);
  facts(chosen);
}

function fromAddress() {
  const address = new URLSearchParams(location.hash.slice(1));
  by('framework').value = address.get('framework') || '';
  fill('version', choices(data.frameworks.findIndex(one => one.title === by('framework').value) < 0 ? null
    : data.frameworks.findIndex(one => one.title === by('framework').value)).version);
  for (const id of FILTERS) by(id).value = address.get(id) || '';
  by('disputed').checked = address.has('disputed');
  update();
}

function start() {
  by('intro').textContent = `What AMD's documents and the known builds say, as of ${data.date}: `
    + `${data.releases.length} releases, ${data.products.length} products and targets, ${data.systems.length} systems, `
    + `${data.drivers.length} drivers, ${data.frameworks.length} frameworks. Choose a cell for its reason, documents and days; `
    + 'choose a release to read them all. The kernel\'s own driver is not in AMD\'s matrix of drivers.';
  const legend = SIGNS.map((sign, at) => {
    const span = element('span');
    span.append(element('b', sign, VERDICTS[at]), WORDS[at]);
    return span;
  });
  const silent = element('span');
  silent.append(element('b', '·', 'silent'), 'nothing was read, which is no "no"');
  const against = element('span');
  against.append(element('b', '', 'against'), 'documents disagree');
  by('legend').append(...legend, silent, against);
  const all = choices(null);
  for (const id of FILTERS) fill(id, all[id]);
  by('filters').addEventListener('change', update);
  by('reset').addEventListener('click', () => {
    for (const id of FILTERS) by(id).value = '';
    by('disputed').checked = false;
    update();
  });
  by('scroll').addEventListener('click', event => {
    const td = event.target.closest('td');
    if (td) tell(td);
  });
  by('scroll').addEventListener('keydown', event => {
    if (event.key === 'Enter' && event.target.matches('td')) tell(event.target);
  });
  addEventListener('hashchange', fromAddress);
  fromAddress();
}

start();
