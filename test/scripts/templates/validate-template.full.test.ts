import { beforeAll, describe, expect, it } from 'vitest';
import { loadSchemas, type Schemas } from '../../../scripts/templates/schemas.ts';
import { validateTemplate } from '../../../scripts/templates/validate-template.ts';

let schemas: Schemas;
beforeAll(async () => {
  schemas = await loadSchemas();
});

const definition = {
  StartAt: 'Call',
  States: {
    Call: {
      Type: 'Task',
      Resource: 'arn:${Partition}:states:::lambda:invoke',
      Parameters: { FunctionName: '${Function}' },
      End: true,
    },
  },
};

/** Properties of valid resources of a template, with references between them. */
const valid = {
  Queue: { QueueName: 'jobs', VisibilityTimeout: 60, SqsManagedSseEnabled: true },
  Function: {
    Code: { S3Bucket: { 'Fn::Sub': 'assets-${AWS::AccountId}' }, S3Key: 'code.zip' },
    Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
    Environment: { Variables: { QUEUE_URL: { Ref: 'Queue' } } },
    Architectures: ['x86_64'],
  },
  Role: { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] } },
  Machine: {
    RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
    DefinitionString: JSON.stringify(definition),
    DefinitionSubstitutions: {
      Partition: { Ref: 'AWS::Partition' },
      Function: { 'Fn::GetAtt': ['Function', 'Arn'] },
    },
  },
  Pages: { ServiceToken: { 'Fn::GetAtt': ['Function', 'Arn'] }, Anything: 1 },
};

const types: Record<keyof typeof valid, string> = {
  Queue: 'AWS::SQS::Queue',
  Function: 'AWS::Lambda::Function',
  Role: 'AWS::IAM::Role',
  Machine: 'AWS::StepFunctions::StateMachine',
  Pages: 'Custom::Pages',
};

/** The problems of a template in which properties of one resource are changed. */
function problemsWith(id: keyof typeof valid, changes: object, { type = types[id], ...attributes } = {}) {
  const Resources = Object.fromEntries(
    Object.entries({ ...valid, [id]: { ...valid[id], ...changes } }).map(([name, Properties]) => [
      name,
      { Type: name === id ? type : types[name as typeof id], Properties, ...(name === id && attributes) },
    ]),
  );
  return validateTemplate({ Resources }, schemas);
}

/** The definition of the machine with changes to its only state. */
function machineWith(changes: object): { DefinitionString: string } {
  const States = { Call: { ...definition.States.Call, ...changes } };
  return { DefinitionString: JSON.stringify({ ...definition, States }) };
}

it('a valid template has no problems', () => {
  expect(problemsWith('Queue', {})).toEqual([]);
});

describe('a broken template: the message names the resource and the property', () => {
  it.each([
    [{ VisibilityTimeOut: 60 }, 'VisibilityTimeOut is not a property of the schema'],
    [{ VisibilityTimeout: 'long' }, 'VisibilityTimeout must be a whole number (found: "long")'],
    [{ VisibilityTimeout: 1.5 }, 'VisibilityTimeout must be a whole number (found: 1.5)'],
    [{ QueueName: ['jobs'] }, 'QueueName must be a string (found: ["jobs"])'],
    [{ SqsManagedSseEnabled: 1 }, 'SqsManagedSseEnabled must be true or false (found: 1)'],
    [{ QueueName: { Ref: 'Stage' } }, 'QueueName refers to Stage, which does not exist'],
  ])('a property of the queue: %j', (changes, message) => {
    expect(problemsWith('Queue', changes)).toEqual([`Queue (AWS::SQS::Queue): ${message}`]);
  });

  it.each([
    [{ Code: undefined }, 'Code is required'],
    [{ Code: { S3Bucke: 'assets' } }, 'Code.S3Bucke is not a property of the schema'],
    [{ Code: { S3ObjectStorageMode: 'MOVE' } }, 'Code.S3ObjectStorageMode must be one of COPY, REFERENCE'],
    [{ Architectures: 'x86_64' }, 'Architectures must be a list (found: "x86_64")'],
    [{ Architectures: [{}] }, 'Architectures[0] must be a string (found: {})'],
    [{ Environment: { Variables: { A: {} } } }, 'Environment.Variables.A must be a string (found: {})'],
    [
      { Role: { 'Fn::GetAtt': ['Role', 'Name'] } },
      'Role refers to the attribute Name of Role, which AWS::IAM::Role does not have',
    ],
    [
      { Environment: { Variables: { A: { 'Fn::Join': ['', [{ Ref: 'Gone' }]] } } } },
      'Environment.Variables.A.Fn::Join[1][0] refers to Gone, which does not exist',
    ],
  ])('a property inside of the function: %j', (changes, message) => {
    expect(problemsWith('Function', changes)).toEqual([
      expect.stringContaining(`Function (AWS::Lambda::Function): ${message}`),
    ]);
  });

  it('a resource type', () => {
    expect(problemsWith('Role', {}, { type: 'AWS::IAM::Rolle' })[0]).toBe(
      'Role (AWS::IAM::Rolle): Type is not a resource type of CloudFormation',
    );
    expect(problemsWith('Queue', {}, { DependsOn: 'Gone' } as object)).toEqual([
      'Queue (AWS::SQS::Queue): DependsOn names Gone, which does not exist',
    ]);
  });

  it.each([
    [machineWith({ Next: 'Nowhere', End: undefined }), 'DefinitionString'],
    [machineWith({ Type: 'Tusk' }), 'DefinitionString.States.Call'],
    [machineWith({ Retry: [{ ErrorEquals: 'States.ALL' }] }), 'DefinitionString.States.Call'],
    [machineWith({ InputPath: 'not a path' }), 'DefinitionString'],
    [
      { DefinitionSubstitutions: { Partition: 'aws' } },
      '${Function} has no value in DefinitionSubstitutions',
    ],
    [{ DefinitionString: '{' }, 'DefinitionString is not JSON'],
  ])('a state machine: %j', (changes, message) => {
    const problems = problemsWith('Machine', changes);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join('\n')).toContain('Machine (AWS::StepFunctions::StateMachine): DefinitionString');
    expect(problems.join('\n')).toContain(message);
  });
});
