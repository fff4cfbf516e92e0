/** One filter of a graph: its name, its values without a name in order, and those with one. */
export type Filter = { name: string; values: readonly string[]; named: ReadonlyMap<string, string> };

/** Filters in order, and the labels of the pads before the first and behind the last. */
export type Chain = { inputs: readonly string[]; filters: readonly Filter[]; outputs: readonly string[] };

/** Parses a filter graph as ffmpeg writes it: chains between semicolons, filters between commas, quoted text whole. */
export function parseGraph(graph: string): Chain[] {
  return splitOutsideQuotes(graph, ';').map((chain) => {
    const [, before = '', filters = '', after = ''] =
      /^((?:\[[^\]]*\])*)(.*?)((?:\[[^\]]*\])*)$/s.exec(chain) ?? [];
    return {
      inputs: labelsOf(before),
      filters: splitOutsideQuotes(filters, ',')
        .filter((text) => text !== '')
        .map(parseFilter),
      outputs: labelsOf(after),
    };
  });
}

function labelsOf(text: string): string[] {
  return [...text.matchAll(/\[([^\]]*)\]/g)].map(([, label = '']) => label);
}

function parseFilter(text: string): Filter {
  const separator = text.indexOf('=');
  if (separator === -1) return { name: text, values: [], named: new Map() };
  const values: string[] = [];
  const named = new Map<string, string>();
  for (const option of splitOutsideQuotes(text.slice(separator + 1), ':')) {
    const [, name, value = ''] = /^([a-z_0-9]+)=(.*)$/s.exec(option) ?? [];
    if (name === undefined) values.push(option);
    else named.set(name, value);
  }
  return { name: text.slice(0, separator), values, named };
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let [part, isQuoted] = ['', false];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '\\') {
      part += character + (text[index + 1] ?? '');
      index += 1;
      continue;
    }
    if (character === "'") isQuoted = !isQuoted;
    if (character === separator && !isQuoted) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  return [...parts, part];
}
