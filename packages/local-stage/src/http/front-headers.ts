/**
 * Headers that the response headers policy of a deployment's CloudFront distribution adds to what the API answers: a
 * browser that opens a response executes nothing and guesses no type.
 */
export const frontHeaders = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
} as const;
