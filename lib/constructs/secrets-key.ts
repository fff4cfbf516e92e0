import { RemovalPolicy } from 'aws-cdk-lib';
import { Alias, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';

/** A first deployment that fails leaves no key, which costs by the month, and no alias, on which the next one would fail. */
const removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/** Encrypts the secrets of storage providers. Without it they are lost, so it outlives the stack. */
export class SecretsKey extends Construct {
  constructor(scope: Construct, id: string, { alias }: { alias: string }) {
    super(scope, id);
    const key = new Key(this, 'Key', { enableKeyRotation: true, removalPolicy });
    new Alias(this, 'Alias', { aliasName: alias, targetKey: key, removalPolicy });
  }
}
