/** The steps of the test of a storage provider, in order. The message of a failed test begins with one of them. */
export const providerTestSteps = ['Access', 'Write', 'Read', 'List', 'Removal'] as const;

export type ProviderTestStep = (typeof providerTestSteps)[number];
