/**
 * The DNS answers of these tests by name, in order of lookups; the last one repeats. Any other name is unknown, so that
 * no test leaves this machine.
 */
export const dnsAnswers: Record<string, readonly (readonly string[])[]> = {
  'listed.test': [['127.0.0.1']],
  'private.test': [['10.0.0.1']],
  'metadata.test': [['169.254.169.254']],
  'metadata6.test': [['fd00:ec2::254']],
  'mixed.test': [['93.184.215.14', '127.0.0.1']],
  'rebinds-at-once.test': [['127.0.0.1'], ['10.0.0.1']],
  'rebinds-on-redirect.test': [['127.0.0.1'], ['10.0.0.1']],
  'rebinds-on-resume.test': [['127.0.0.1'], ['10.0.0.1']],
};
