import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const require = createRequire(import.meta.url);
const wholeStylesheet = readFileSync(require.resolve('@mantine/core/styles.css'), 'utf8');

/** The component stylesheets that a file of the dashboard imports, in order. */
function importedStyles(file: string): string[] {
  const text = readFileSync(join(import.meta.dirname, '../src/styles', file), 'utf8');
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

/** Parts of components in use, such as Checkbox.Card, that no page renders. */
const notRendered = ['CheckboxCard', 'CheckboxIndicator', 'LoadingOverlay', 'RadioIndicator', 'ScrollArea'];

it('every component in use has its stylesheet', async () => {
  const { metafile } = await build({
    entryPoints: [join(import.meta.dirname, '../src/main.tsx')],
    bundle: true,
    external: ['node:*'],
    format: 'esm',
    outdir: 'out',
    write: false,
    metafile: true,
  });
  const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  const rules = bundled.filter((file) => file.endsWith('.css')).map((file) => readFileSync(file, 'utf8'));
  const unstyled = bundled.filter((file) => {
    if (!/@mantine\/core\/.*\.module\.mjs$/.test(file)) return false;
    const classes = readFileSync(file, 'utf8').match(/\bm_[0-9a-f]+/g) ?? [];
    const styled = classes.filter((each) => wholeStylesheet.includes(`.${each}`));
    return styled.length > 0 && !styled.some((each) => rules.some((text) => text.includes(`.${each}`)));
  });
  expect(unstyled.map((file) => basename(file, '.module.mjs')).toSorted()).toEqual(notRendered);
});
