import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** Sends a conditional write. False if its condition does not hold. */
export async function writeIf(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (cause) {
    if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
    return false;
  }
}
