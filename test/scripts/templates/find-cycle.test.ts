import { expect, it } from 'vitest';
import { findCycle } from '../../../scripts/templates/find-cycle.ts';

const resource = (Properties: unknown, DependsOn: string | string[] = []) => ({ Properties, DependsOn });

it('resources that depend on each other in one direction are no cycle', () => {
  const resources = {
    Function: resource({ Role: { 'Fn::GetAtt': ['Role', 'Arn'] } }, ['Role', 'Policy']),
    Policy: resource({ Roles: [{ Ref: 'Role' }], Region: { Ref: 'AWS::Region' } }, 'Role'),
    Role: resource({}),
  };
  expect(findCycle(resources)).toBeUndefined();
});

it.each([
  ['Ref', { Ref: 'Origin' }],
  ['Fn::GetAtt with a list', { 'Fn::GetAtt': ['Origin', 'Arn'] }],
  ['Fn::GetAtt with a text', { 'Fn::GetAtt': 'Origin.Arn' }],
  ['Fn::Sub', { 'Fn::Sub': 'https://${Origin.Host}/${!Literal}' }],
  ['Fn::Sub with values', { 'Fn::Sub': ['${Host}/${Origin}', { Host: 'a' }] }],
  ['a value of Fn::Sub', { 'Fn::Sub': ['${Host}', { Host: { Ref: 'Origin' } }] }],
  ['a nested value', { 'Fn::Join': ['', ['https://', { Ref: 'Origin' }]] }],
])('a cycle by %s is found', (_, reference) => {
  const resources = {
    Queue: resource({}),
    Function: resource({}, ['Queue', 'Distribution']),
    Distribution: resource({ Url: reference }),
    Origin: resource({ Target: { 'Fn::GetAtt': ['Function', 'Arn'] } }),
  };
  expect(findCycle(resources)).toEqual(['Function', 'Distribution', 'Origin', 'Function']);
});

it('a resource that refers to itself is a cycle', () => {
  expect(findCycle({ Role: resource({}, 'Role') })).toEqual(['Role', 'Role']);
});
