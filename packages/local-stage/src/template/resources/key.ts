import * as z from 'zod';
import { arn } from '../../aws-names.ts';
import { policyDocument } from '../../permissions/iam/policies.ts';
import { resourceKind } from '../resource-kind.ts';

export const key = resourceKind({
  type: 'AWS::KMS::Key',
  properties: z.strictObject({ KeyPolicy: policyDocument }),
  ignored: {
    EnableKeyRotation: 'old versions of a key still decrypt',
  },
  attributes: { Arn: ({ name }) => arn('kms', `key/${name}`), KeyId: ({ name }) => name },
});

export const keyAlias = resourceKind({
  type: 'AWS::KMS::Alias',
  nameProperty: 'AliasName',
  properties: z.strictObject({ AliasName: z.string(), TargetKeyId: z.string() }),
});
