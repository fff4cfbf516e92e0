/** The condition keys that the local stage supplies. It does not start with a policy that has another one. */
export const contextKeys: readonly string[] = [
  'aws:SecureTransport',
  'aws:SourceAccount',
  'aws:SourceArn',
  'dynamodb:LeadingKeys',
  's3:prefix',
];
