import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const require = createRequire(import.meta.url);
const wholeStylesheet = readFileSync(require.resolve('@mantine/core/styles.css'), 'utf8');

/** The component stylesheets that a file of the dashboard imports, in order. */
function importedStyles(file: string): string[] {
  const text = readFileSync(join(import.meta.dirname, '../../dashboard/styles', file), 'utf8');
  return [...text.matchAll(/'(@mantine\/core\/styles\/[A-Z]\w+\.css)'/g)].map(([, path = '']) => path);
}

/** Where the first class of a component is in Mantine's own stylesheet. */
function positionOf(stylesheet: string): number {
  const [className = ''] = /\.m_[0-9a-f]+/.exec(readFileSync(require.resolve(stylesheet), 'utf8')) ?? [];
  return wholeStylesheet.indexOf(className);
}

// In another order the rule of Text removes the underline of links, for example.
it.each(['initial.ts', 'deferred.ts'])(
  "%s imports the styles of components in the order of Mantine's own stylesheet",
  (file) => {
    const styles = importedStyles(file);
    expect(styles.length).toBeGreaterThan(10);
    expect(styles).toEqual(styles.toSorted((one, other) => positionOf(one) - positionOf(other)));
  },
);
