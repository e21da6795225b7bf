import { encodeInput } from '@ondine/contract/encode-input'
import type { Envelope, InputOf, Operation, OutputOf } from '@ondine/contract/operation'

/** Time limit of a call, in milliseconds. */
const PATIENCE_MS = 30_000

/**
 * Makes a call of the contract as the viewer of this browser, whom the cookies identify.
 *
 * @param identityKey identifies the storefront. Without it, the service refuses a viewer's calls
 * @throws Error if the service refuses the call or does not answer
 */
export async function callService<O extends Operation>(
  operation: O,
  input: InputOf<O>,
  identityKey: string,
): Promise<OutputOf<O>> {
  const { name, method, path } = operation
  const response = await fetch(path, {
    method,
    headers: { accept: 'application/json', 'x-identity-key': identityKey },
    body: new URLSearchParams(encodeInput({ ...input })),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  // The service checks its answers against the contract.
  const envelope: Envelope<OutputOf<O>> = await response.json()
  if (envelope.status) return envelope.result
  throw new Error(`${name} was refused with the code ${envelope.error.code}`)
}
