declare module 'asl-validator' {
  type DefinitionError = {
    'Error code': string;
    Message: string;
    /** Where the definition violates the JSON schema, such as `/States/Deliver`. */
    schemaError?: { instancePath: string; schemaPath: string };
  };

  function validate(definition: object): { isValid: boolean; errors: DefinitionError[] };
  export = validate;
}
