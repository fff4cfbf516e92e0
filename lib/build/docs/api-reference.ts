type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
};
type Content = Record<string, { schema: Schema; example?: unknown }>;
type Operation = {
  summary: string;
  description?: string;
  tags: string[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { description?: string; content?: Content; $ref?: string }>;
};
export type OpenApiDocument = {
  info: { description?: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** The API reference as Markdown: operations by tag, then the schemas that they share. */
export function apiReference({ info, paths, components }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, route: `${method.toUpperCase()} ${path}` })),
  );
  const tags = Map.groupBy(operations, ({ tags: [tag = 'Other'] }) => tag);
  return [
    '# API reference',
    ...(info.description ? [info.description] : []),
    ...[...tags].flatMap(([tag, all]) => [`## ${tag}`, ...all.map(operationSection)]),
    '## Schemas',
    ...Object.entries(components.schemas).map(([name, schema]) =>
      [`### ${name}`, schema.description ?? '', fieldsOf(schema)].join('\n\n'),
    ),
  ].join('\n\n');
}

function operationSection(operation: Operation & { route: string }): string {
  const { summary, description = '', route, parameters = [], requestBody, responses } = operation;
  const rows = parameters.map(({ name, in: place, required, description: text, schema }) =>
    row(name, `${typeOf(schema)}, in ${place}`, required === true, text ?? schema.description, schema),
  );
  const succeeded = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const failed = Object.keys(responses).filter((status) => Number(status) >= 400);
  return [
    `### ${summary}`,
    `\`${route}\``,
    description,
    rows.length > 0 ? `Parameters:\n\n${tableOf(rows)}` : '',
    requestBody === undefined ? '' : `Request body:\n\n${bodyOf(requestBody.content)}`,
    ...succeeded.map(([status, { description: text = '', content }]) =>
      [`Response ${status}: ${text}`, content === undefined ? '' : bodyOf(content)].join('\n\n'),
    ),
    failed.length > 0 ? `Errors: ${failed.join(', ')}` : '',
  ].join('\n\n');
}

function bodyOf(content: Content): string {
  return Object.entries(content)
    .map(([type, { schema, example }]) => {
      const code = example === undefined ? '' : `\`\`\`json\n${JSON.stringify(example, undefined, 2)}\n\`\`\``;
      return [type === 'application/json' ? '' : `\`${type}\``, fieldsOf(schema), code].join('\n\n');
    })
    .join('\n\n');
}

/** A table of the fields of an object, those of nested objects included; the type of anything else. */
function fieldsOf(schema: Schema): string {
  const rows = fieldRows(schema, '');
  return rows.length === 0 ? typeOf(schema) : tableOf(rows);
}

function fieldRows({ properties = {}, required = [], items, allOf = [] }: Schema, prefix: string): string[] {
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const nested = field.items?.properties === undefined ? `${path}.` : `${path}[].`;
    return [
      row(path, typeOf(field), required.includes(name), field.description, field),
      ...fieldRows(field.items ?? field, nested),
    ];
  });
  return [
    ...allOf.flatMap((part) => fieldRows(part, prefix)),
    ...own,
    ...(items ? fieldRows(items, `${prefix}[].`) : []),
  ];
}

function row(name: string, type: string, isRequired: boolean, description = '', schema: Schema = {}): string {
  const fallback = schema.default === undefined ? '' : ` Default: \`${JSON.stringify(schema.default)}\`.`;
  const text = `${description}${fallback}`.replaceAll('\n', ' ').replaceAll('|', '\\|');
  return `| \`${name}\` | ${type}${isRequired ? ', required' : ''} | ${text} |`;
}

const tableOf = (rows: readonly string[]) => ['| Name | Type | Meaning |', '| --- | --- | --- |', ...rows].join('\n');

/** The type of a value in a few words, with a link to the schema that it shares. */
function typeOf(schema: Schema): string {
  const { $ref, type, format, items, additionalProperties, minimum, maximum } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return `[${name}](#${name.toLowerCase()})`;
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ');
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (typeof additionalProperties === 'object') return `object of ${typeOf(additionalProperties)}`;
  const range = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? '…'} to ${maximum ?? '…'}`;
  return `${[type ?? 'any'].flat().join(' or ')}${format === undefined ? '' : ` (${format})`}${range}`;
}
