import * as z from 'zod';
import { settingsSchema } from '../../lib/settings/settings.ts';

type Schema = {
  type?: string;
  description?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
};

type Row = { name: string; values: string; defaultText: string; description: string };

/** All settings of a stage as a Markdown table, generated from their schema. */
export function settingsTable(): string {
  const { properties = {} } = z.toJSONSchema(settingsSchema, {
    io: 'input',
    unrepresentable: 'any',
  }) as Schema;
  const rows = rowsOf(properties).filter(({ name }) => name !== 'stage');
  return [
    '| Setting | Values | Default | |',
    '|---|---|---|---|',
    ...rows.map(({ name, values, defaultText, description }) => {
      return `| \`${name}\` | ${values} | ${defaultText} | ${description} |`;
    }),
  ].join('\n');
}

function rowsOf(properties: Record<string, Schema>, prefix = ''): Row[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = prefix + key;
    if (schema.properties === undefined) return [rowOf(name, schema)];
    const inner = rowsOf(schema.properties, `${name}.`);
    if (schema.description === undefined) return inner;
    return [{ name, values: 'an object', defaultText: '', description: schema.description }, ...inner];
  });
}

function rowOf(name: string, schema: Schema): Row {
  if (schema.description === undefined) throw new Error(`The setting ${name} has no description.`);
  return {
    name,
    values: valuesOf(schema),
    defaultText: schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``,
    description: schema.description,
  };
}

function valuesOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.anyOf?.some(({ type }) => type === 'null')) return nullable(schema.anyOf);
  if (schema.anyOf) return schema.anyOf.map((one) => `\`${String(one.const)}\``).join(', ');
  if (schema.type === 'array') return `a list: ${schema.items ? valuesOf(schema.items) : ''}`;
  if (schema.type === 'object' && schema.properties) return 'objects';
  if (schema.type === 'boolean') return '`true`, `false`';
  if (schema.minimum !== undefined) return `${schema.minimum} to ${schema.maximum}`;
  if (schema.type === 'string') return 'a string';
  const { additionalProperties: named } = schema;
  if (typeof named === 'object') return `an object: each value is ${valuesOf(named)}`;
  throw new Error(`No text describes the values of ${JSON.stringify(schema)}`);
}

function nullable(alternatives: Schema[]): string {
  const { properties = {} } = alternatives.find(({ type }) => type === 'object') ?? {};
  const fields = Object.entries(properties).map(([name, field]) => `\`${name}\` ${valuesOf(field)}`);
  return `\`null\`, or an object: ${fields.join(', ')}`;
}
