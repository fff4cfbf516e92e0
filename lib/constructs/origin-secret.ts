import { Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { originSecretHeader } from '../../core/access/origin-secret.ts';

/**
 * The secret that identifies requests through CloudFront to the API. The API accepts the secret of the setting's number.
 * CloudFront sends the previous and the next one too: during a rotation, and its rollback, functions accept different ones.
 *
 * CloudFormation allows 60 dynamic references in a template. Each function therefore has one secret, and the only list is
 * in CloudFront.
 */
export class OriginSecret extends Construct {
  readonly headers: Record<string, string>;
  /** The secret that the API accepts. */
  readonly accepted: string;

  constructor(scope: Construct, id: string, { number }: { number: number }) {
    super(scope, id);
    const previous = number === 1 ? [] : [secretValue(this, number - 1)];
    this.accepted = secretValue(this, number);
    const sent = [...previous, this.accepted, secretValue(this, number + 1)];
    this.headers = { [originSecretHeader]: sent.join(',') };
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
    reason: 'Rotated by a deployment with the next edge.originSecret, since CloudFront has to change with it.',
  });
  return secret.secretValue.unsafeUnwrap();
}
