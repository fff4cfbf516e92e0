import { expect, it } from 'vitest';
import { settingsTable } from '../../tables/settings.ts';

const rows = settingsTable()
  .split('\n')
  .slice(2)
  .map((line) => {
    const [name = '', values = '', defaultText = ''] = line.split(' | ').map((cell) => cell.replace(/^\| /, ''));
    return { name, values, defaultText };
  });

/** Whether a value is what the table says, such as `2 to 10` or `a list: a string`. */
function fits(value: unknown, values: string): boolean {
  const [, from, to] = /^([\d.]+) to (\d+)$/.exec(values) ?? [];
  if (from !== undefined) return typeof value === 'number' && value >= Number(from) && value <= Number(to);
  const [, item] = /^a list: (.+)$/.exec(values) ?? [];
  if (item !== undefined) return Array.isArray(value) && value.every((each) => fits(each, item));
  const [, field] = /^an object: each value is (.+)$/.exec(values) ?? [];
  if (field !== undefined) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && Object.values(value).every((each) => fits(each, field));
  }
  const [, fields] = /^`null`, or an object: (.+)$/.exec(values) ?? [];
  if (fields !== undefined) {
    const given = Object.entries((value ?? {}) as Record<string, unknown>);
    return given.every(([key, each]) =>
      fields.split(', ').some((text) => text.startsWith(`\`${key}\` `) && fits(each, text.slice(key.length + 3))),
    );
  }
  return values === 'a string' ? typeof value === 'string' : values.split(', ').includes(`\`${value}\``);
}

it('every default in the table of settings is one of the values beside it', () => {
  const defaults = rows.filter(({ defaultText }) => defaultText !== '');
  expect(defaults.length).toBeGreaterThan(25);
  for (const { name, values, defaultText } of defaults) {
    expect(fits(JSON.parse(defaultText.slice(1, -1)), values), `${name}: ${defaultText} in ${values}`).toBe(true);
  }
});
