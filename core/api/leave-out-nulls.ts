import type * as z from 'zod';

/**
 * A copy of a request without the fields that are null, if they are optional and null is none of their values: such a field
 * is as if left out. Required and unknown fields stay, so that their errors tell what was found.
 */
export function leaveOutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const definition = (schema as z.core.$ZodTypes)._zod.def;
  switch (definition.type) {
    case 'object':
      return mapFields(value, (name, field) => {
        const declared = Object.hasOwn(definition.shape, name) ? definition.shape[name] : undefined;
        if (declared === undefined) return field;
        return field === null && isLeftOut(declared) ? undefined : leaveOutNulls(declared, field);
      });
    case 'record':
      return mapFields(value, (_, field) => leaveOutNulls(definition.valueType, field));
    case 'array':
      return Array.isArray(value) ? value.map((item) => leaveOutNulls(definition.element, item)) : value;
    default: {
      const inner = innerSchema(definition, value);
      return inner === undefined ? value : leaveOutNulls(inner, value);
    }
  }
}

/** The schema that a wrapper has for a value; of a discriminated union, the variant that the value names. */
function innerSchema(definition: z.core.$ZodTypes['_zod']['def'], value: object): z.core.$ZodType | undefined {
  switch (definition.type) {
    case 'union': {
      const { discriminator } = definition as z.core.$ZodDiscriminatedUnionDef;
      const named = Reflect.get(value, discriminator);
      return definition.options.find((option) => option._zod.propValues?.[discriminator]?.has(named));
    }
    case 'lazy':
      return definition.getter();
    case 'pipe':
      return definition.in;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return definition.innerType;
    default:
      return undefined;
  }
}

function isLeftOut(field: z.core.$ZodType): boolean {
  const accepts = (value: unknown) => (field as z.ZodType).safeParse(value).success;
  return accepts(undefined) && !accepts(null);
}

function mapFields(value: object, map: (name: string, field: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, map(name, field)] as const);
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
}
