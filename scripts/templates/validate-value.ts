import type { PropertySchema, PropertySchemas, PropertyType, Schemas } from './schemas.ts';

/** A value that does not fit its schema. `path` is such as `Code.S3Bucket`. */
export type Problem = { path: string; message: string };

/** Validates the properties of a resource, or of an object in one. */
export function validateProperties(
  values: Readonly<Record<string, unknown>>,
  properties: PropertySchemas,
  { path = '', schemas }: { path?: string; schemas: Schemas },
): Problem[] {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const missing = Object.entries(properties)
    .filter(([name, { required }]) => required && values[name] === undefined)
    .map(([name]) => ({ path: at(name), message: 'is required' }));
  const invalid = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) return [{ path: at(name), message: 'is not a property of the schema' }];
    return validateProperty(value, property, { path: at(name), schemas });
  });
  return [...missing, ...invalid];
}

type Context = { path: string; schemas: Schemas };

function validateProperty(
  value: unknown,
  { type, previousTypes = [] }: PropertySchema,
  context: Context,
): Problem[] {
  return validateUnion(value, [type, ...previousTypes], context);
}

/** The problems of the first type that a value comes closest to. */
function validateUnion(value: unknown, types: readonly PropertyType[], context: Context): Problem[] {
  const [fewest = []] = types
    .map((type) => validateValue(value, type, context))
    .sort((a, b) => a.length - b.length);
  return fewest;
}

function validateValue(value: unknown, type: PropertyType, context: Context): Problem[] {
  if (isReference(value)) return [];
  const { path, schemas } = context;
  const expected = (what: string): Problem[] => [
    { path, message: `must be ${what} (found: ${JSON.stringify(value)})` },
  ];
  switch (type.type) {
    case 'ref':
      if (!isObject(value)) return expected('an object');
      return validateProperties(value, schemas.definition(type.reference), context);
    case 'array':
      if (!Array.isArray(value)) return expected('a list');
      return value.flatMap((item, index) =>
        validateValue(item, type.element, { path: `${path}[${index}]`, schemas }),
      );
    case 'map':
      if (!isObject(value)) return expected('an object');
      return Object.entries(value).flatMap(([key, item]) =>
        validateValue(item, type.element, { path: `${path}.${key}`, schemas }),
      );
    case 'union':
      return validateUnion(value, type.types, context);
    case 'tag':
      return isObject(value) && 'Key' in value && 'Value' in value ? [] : expected('a tag: Key and Value');
    case 'json':
      return isObject(value) || typeof value === 'string' ? [] : expected('JSON');
    case 'null':
      return value === null ? [] : expected('null');
    case 'boolean':
      return ['true', 'false'].includes(String(value)) ? [] : expected('true or false');
    case 'number':
      return isNumber(value) ? [] : expected('a number');
    case 'integer':
      if (!isNumber(value) || !Number.isInteger(Number(value))) return expected('a whole number');
      return isAllowed(Number(value), type) ? [] : expected(`one of ${type.allowedValues?.join(', ')}`);
    default:
      if (typeof value === 'object' || value === undefined) return expected('a string');
      return isAllowed(String(value), type) ? [] : expected(`one of ${allowedValues(type).join(', ')}`);
  }
}

function isAllowed(value: string | number, type: PropertyType): boolean {
  const allowed = allowedValues(type);
  return allowed.length === 0 || allowed.includes(value);
}

function allowedValues(type: PropertyType): readonly (string | number)[] {
  return 'allowedValues' in type ? (type.allowedValues ?? []) : [];
}

/** CloudFormation accepts numbers as strings too. */
function isNumber(value: unknown): boolean {
  return (typeof value === 'number' || typeof value === 'string') && Number.isFinite(Number(value));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that CloudFormation computes during a deployment. */
export function isReference(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const [key, ...others] = Object.keys(value);
  return key !== undefined && others.length === 0 && (key === 'Ref' || key.startsWith('Fn::'));
}
