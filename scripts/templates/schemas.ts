import { loadAwsServiceSpec } from '@aws-cdk/aws-service-spec';

/** The type of a property in a resource schema of CloudFormation. */
export type PropertyType =
  | { type: 'string' | 'integer'; allowedValues?: readonly (string | number)[] }
  | { type: 'number' | 'boolean' | 'json' | 'date-time' | 'null' | 'tag' }
  | { type: 'ref'; reference: DefinitionReference }
  | { type: 'array' | 'map'; element: PropertyType }
  | { type: 'union'; types: readonly PropertyType[] };

type DefinitionReference = { readonly $ref: string };

export type PropertySchema = {
  type: PropertyType;
  /** Types of earlier versions of the schema, which CloudFormation still accepts. */
  previousTypes?: readonly PropertyType[];
  required?: boolean;
};

export type PropertySchemas = Readonly<Record<string, PropertySchema>>;

export type ResourceSchema = {
  properties: PropertySchemas;
  /** Attributes for `Fn::GetAtt`. */
  attributes: Readonly<Record<string, unknown>>;
  /** Names of the properties or attributes that identify a resource. */
  primaryIdentifier?: readonly string[];
};

/** The resource schemas of CloudFormation. */
export type Schemas = {
  /** Undefined for an unknown type. */
  resource(type: string): ResourceSchema | undefined;
  definition(reference: DefinitionReference): PropertySchemas;
};

/** Loads the schemas that come with the CDK. */
export async function loadSchemas(): Promise<Schemas> {
  const database = await loadAwsServiceSpec();
  return {
    resource: (type) => database.lookup('resource', 'cloudFormationType', 'equals', type)[0],
    definition: ({ $ref }) => database.get('typeDefinition', $ref).properties,
  };
}
