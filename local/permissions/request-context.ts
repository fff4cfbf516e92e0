/** The condition keys that the local stage supplies; a policy with any other stops the stage at its start. */
export const contextKeys: readonly string[] = [
  'aws:SecureTransport',
  'aws:SourceAccount',
  'aws:SourceArn',
  'dynamodb:LeadingKeys',
  's3:prefix',
];
