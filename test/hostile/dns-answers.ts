/**
 * The DNS answers of these tests by name, in order of lookups; the last one repeats. Any other name is unknown, so that
 * no test leaves this machine.
 */
export const dnsAnswers: Record<string, readonly (readonly string[])[]> = {
  'listed.test': [['127.0.0.1']],
  'zero.test': [['0.0.0.0']],
  'private.test': [['10.0.0.1']],
  'shared.test': [['100.64.0.1']],
  'metadata.test': [['169.254.169.254']],
  'loopback6.test': [['::1']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'metadata6.test': [['fd00:ec2::254']],
  'mixed.test': [['93.184.215.14', '127.0.0.1']],
  'mixed-reversed.test': [['::1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c']],
  'rebinds-at-once.test': [['127.0.0.1'], ['10.0.0.1']],
  'rebinds-on-redirect.test': [['127.0.0.1'], ['10.0.0.1']],
  'rebinds-on-resume.test': [['127.0.0.1'], ['10.0.0.1']],
};
