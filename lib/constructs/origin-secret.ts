import { Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { originSecretHeader } from '../../core/access/origin-secret.ts';

/**
 * The secret that identifies requests through CloudFront to the API. CloudFront sends the secret of the setting's
 * number. A deployment changes CloudFront first and the functions after it. The API therefore accepts the next secret too,
 * so that a rotation interrupts nothing, and the previous one, so that neither does its rollback.
 */
export class OriginSecret extends Construct {
  /** The headers that CloudFront adds to its requests to the API. */
  readonly headers: Record<string, string>;
  /** The secrets that the API accepts, separated by commas. */
  readonly accepted: string;

  constructor(scope: Construct, id: string, { number }: { number: number }) {
    super(scope, id);
    const previous = number === 1 ? [] : [secretValue(this, number - 1)];
    const current = secretValue(this, number);
    this.headers = { [originSecretHeader]: current };
    this.accepted = [...previous, current, secretValue(this, number + 1)].join(',');
  }
}

/** A dynamic reference: CloudFormation reads the secret, and the template does not contain it. */
function secretValue(scope: Construct, number: number): string {
  const secret = new Secret(scope, `Secret${number}`, {
    description: `Proves that a request came through CloudFront (number ${number})`,
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      'Rotated by a deployment with the next edge.originSecret, since CloudFront has to change with it.',
  });
  return secret.secretValue.unsafeUnwrap();
}
