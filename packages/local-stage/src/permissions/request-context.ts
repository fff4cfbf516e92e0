/** The condition keys that the local stage supplies. It does not start with a policy that has another one. */
export const contextKeys: readonly string[] = [
  'aws:PrincipalTag/',
  'aws:ResourceAccount',
  'aws:SecureTransport',
  'aws:SourceAccount',
  'aws:SourceArn',
  'dynamodb:LeadingKeys',
  'ecs:cluster',
  'iam:PassedToService',
  'kms:EncryptionContext:',
  'kms:EncryptionContextKeys',
  'kms:ResourceAliases',
  's3:prefix',
];
