import { expect, it } from 'vitest';
import { noValue, resolve, type Scope, UnresolvableError } from '../../src/template/intrinsics.ts';

const scope: Scope = {
  ref(name) {
    if (name === 'AWS::NoValue') return noValue;
    if (name === 'Queue') return 'http://queue';
    if (name === 'Names') return ['a', 'b'];
    throw new Error(`nothing is called ${name}`);
  },
  attribute: (logicalId, attribute) => `${logicalId}.${attribute}`,
  importValue: (name) => `imported ${name}`,
  condition: (name) => name === 'Yes',
};

const resolved = (value: unknown) => resolve(value, scope, 'Property');

it.each([
  ['Ref', { Ref: 'Queue' }, 'http://queue'],
  ['Fn::GetAtt as a list', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'Table.Arn'],
  ['Fn::GetAtt as a string', { 'Fn::GetAtt': 'Table.Stream.Arn' }, 'Table.Stream.Arn'],
  ['Fn::Join', { 'Fn::Join': ['/', ['a', { Ref: 'Queue' }, 3]] }, 'a/http://queue/3'],
  ['Fn::Join of a list', { 'Fn::Join': ['-', { Ref: 'Names' }] }, 'a-b'],
  ['Fn::Sub', { 'Fn::Sub': '${Queue} of ${Table.Arn}' }, 'http://queue of Table.Arn'],
  ['Fn::Sub with variables', { 'Fn::Sub': ['${X}-${Queue}', { X: { Ref: 'Queue' } }] }, 'http://queue-http://queue'],
  ['Fn::Sub with an escape', { 'Fn::Sub': '${!Queue}' }, '${Queue}'],
  ['Fn::Select', { 'Fn::Select': [1, { Ref: 'Names' }] }, 'b'],
  ['Fn::Split', { 'Fn::Split': [':', 'a:b'] }, ['a', 'b']],
  ['Fn::ImportValue', { 'Fn::ImportValue': 'stack:table' }, 'imported stack:table'],
  ['Fn::If', { 'Fn::If': ['Yes', 'then', 'else'] }, 'then'],
  ['Fn::If, the other way', { 'Fn::If': ['No', 'then', { Ref: 'Queue' }] }, 'http://queue'],
  ['Fn::Equals', { 'Fn::Equals': [{ Ref: 'Queue' }, 'http://queue'] }, true],
  ['Fn::Not', { 'Fn::Not': [{ Condition: 'Yes' }] }, false],
  ['Fn::And', { 'Fn::And': [{ Condition: 'Yes' }, { Condition: 'No' }] }, false],
  ['Fn::Or', { 'Fn::Or': [{ Condition: 'No' }, { Condition: 'Yes' }] }, true],
])('the intrinsic function %s is resolved', (_, value, expected) => expect(resolved(value)).toEqual(expected));

it('an intrinsic function is resolved at any depth', () => {
  expect(resolved({ Targets: [{ Arn: { 'Fn::GetAtt': ['Fn', 'Arn'] }, Id: 0 }] })).toEqual({
    Targets: [{ Arn: 'Fn.Arn', Id: 0 }],
  });
});

it('AWS::NoValue removes its property', () => {
  expect(resolved({ kept: 1, left: { Ref: 'AWS::NoValue' }, list: [{ Ref: 'AWS::NoValue' }, 2] })).toEqual({
    kept: 1,
    list: [2],
  });
});

it('an unknown reference is an error with its path', () => {
  const value = { Variables: { URL: { 'Fn::Join': ['', ['x', { Ref: 'Nobody' }]] } } };
  expect(() => resolved(value)).toThrow(
    expect.objectContaining({ property: 'Property.Variables.URL.1', message: 'nothing is called Nobody' }),
  );
});

it('an unknown function is an error', () => {
  expect(() => resolved({ 'Fn::Cidr': ['10.0.0.0/16', 1] })).toThrow(UnresolvableError);
});

it('an argument of the wrong type is an error', () => {
  expect(() => resolved({ 'Fn::Join': ['', { Ref: 'Queue' }] })).toThrow('expected a list');
  expect(() => resolved({ 'Fn::Sub': '${Names}' })).toThrow('expected a string');
  expect(() => resolved({ 'Fn::Select': [2, ['a', 'b']] })).toThrow('no element 2');
});

it('the Condition of a policy statement is not an intrinsic function', () => {
  const statement = { Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
  expect(resolved(statement)).toEqual(statement);
});
