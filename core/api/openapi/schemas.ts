import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/** The side of a schema: what a caller sends, or the parsed value, which is also what responses contain. */
export type Side = 'input' | 'output';

/** Converts zod schemas to JSON Schemas. Shared ones become references and are collected for the document's components. */
export type SchemaCollector = { of(schema: z.ZodType, side: Side): JsonSchema; shared: Map<string, JsonSchema> };

const local = '#/$defs/';
const shared = '#/components/schemas/';

/** A schema with an `id` in its metadata is shared under it. Any other is inlined. */
export function createSchemaCollector(): SchemaCollector {
  const components = new Map<string, JsonSchema>();
  const collector: SchemaCollector = {
    shared: components,
    of: (schema, side) => {
      // zod makes a schema with an id a reference inside an object only, not at the root.
      const { properties, $defs = {} } = z.toJSONSchema(z.object({ root: schema }), {
        io: side,
        override: ({ jsonSchema }) => {
          delete jsonSchema.id;
          if (side === 'input') describeDefault(jsonSchema);
          replaceByForms(jsonSchema, (form) => collector.of(form, side));
          // The pattern repeats `format`.
          if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
          // Responses may have more fields in later versions.
          if (jsonSchema.additionalProperties === false && side === 'output') delete jsonSchema.additionalProperties;
        },
      });
      for (const [id, definition] of Object.entries($defs)) addShared(components, id, pointToShared(definition));
      return pointToShared(properties?.root);
    },
  };
  return collector;
}

/**
 * Moves the default of a request's field to its description: openapi-typescript makes a field with `default` required, and
 * other generators send it, which conflicts with fields that exclude it.
 */
function describeDefault(schema: JsonSchema): void {
  if (schema.default === undefined) return;
  const { default: value, description = '' } = schema;
  delete schema.default;
  if (String(description).includes('Default: ')) return;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  schema.description = `${description} Default: \`${text}\`.`.trim();
}

function replaceByForms(schema: JsonSchema, toJson: (form: z.ZodType) => JsonSchema): void {
  const forms = schema.forms as z.ZodType[] | undefined;
  if (forms === undefined) return;
  for (const name of Object.keys(schema)) delete schema[name];
  schema.oneOf = forms.map(toJson);
}

function addShared(components: Map<string, JsonSchema>, id: string, definition: JsonSchema): void {
  const known = components.get(id);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
    throw new Error(`Two different schemas have the id ${id}: give one of them another id`);
  }
  components.set(id, definition);
}

function pointToShared(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"${local}`, `"${shared}`));
}
