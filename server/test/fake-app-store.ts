import { certify, signJws } from './test-authority.ts'

export const APPLE_BUNDLE = 'tv.ondine.app'
export const APPLE_APP = 6_400_000_001

const AUTHORITY_MARK = '1.2.840.113635.100.6.2.1'
const SIGNER_MARK = '1.2.840.113635.100.6.11.1'

/** Faults of a certificate chain: its differences from the App Store's chain. */
interface Chain {
  root?: ReturnType<typeof certify>
  signerMark?: string
  authorityMark?: string
}

/** Creates a certificate chain like the App Store's. */
function chain({
  root = certify({ name: 'Root', isAuthority: true }),
  signerMark = SIGNER_MARK,
  authorityMark = AUTHORITY_MARK,
}: Chain) {
  const authority = certify({ name: 'Authority', isAuthority: true, marks: [authorityMark] }, root)
  const signer = certify({ name: 'Signer', isAuthority: false, marks: [signerMark] }, authority)
  return { root, authority, signer }
}

/** Fields of a transaction that tests set. Times are milliseconds since the Unix epoch. */
export interface AppleTransaction {
  transactionId: string
  originalTransactionId: string
  productId: string
  purchaseDate: number
  signedDate: number
  expiresDate?: number
  revocationDate?: number
  bundleId?: string
  environment?: string
}

/** Fields of a notification, except its transaction. */
export interface AppleNotice {
  notificationType: string
  subtype?: string
  signedDate?: number
  renewal?: { autoRenewStatus: 0 | 1; gracePeriodExpiresDate?: number }
  appAppleId?: number
}

/** Signs data as the App Store does, but with a separate certificate authority for tests. */
export class FakeAppStore {
  readonly #chain: ReturnType<typeof chain>

  constructor(certificates: Chain = {}) {
    this.#chain = chain(certificates)
  }

  /** Root of its certificates. */
  get root() {
    return this.#chain.root
  }

  /** Signs a transaction in the form in which devices receive it. */
  sign(transaction: AppleTransaction): string {
    return this.#sign({
      bundleId: APPLE_BUNDLE,
      environment: 'Production',
      type: transaction.expiresDate === undefined ? 'Consumable' : 'Auto-Renewable Subscription',
      ...transaction,
    })
  }

  /** Returns the body of a notification. Without a transaction, the result is a test notification of the store. */
  notify(
    transaction: AppleTransaction | undefined,
    { renewal, appAppleId = APPLE_APP, signedDate, ...notice }: AppleNotice,
  ): string {
    const { environment = 'Production', bundleId = APPLE_BUNDLE } = transaction ?? {}
    const said = { signedDate: signedDate ?? transaction?.signedDate ?? Date.UTC(2026, 0) }
    const signedPayload = this.#sign({
      ...notice,
      ...said,
      version: '2.0',
      notificationUUID: '3f1f3a8e-0000-4000-8000-000000000000',
      data: {
        appAppleId,
        bundleId,
        environment,
        ...(transaction && { signedTransactionInfo: this.sign(transaction) }),
        ...(renewal &&
          transaction && {
            signedRenewalInfo: this.#sign({
              ...renewal,
              ...said,
              environment,
              originalTransactionId: transaction.originalTransactionId,
            }),
          }),
      },
    })
    return JSON.stringify({ signedPayload })
  }

  #sign(payload: unknown): string {
    const { root, authority, signer } = this.#chain
    const x5c = [signer, authority, root].map(({ certificate }) => certificate.toString('base64'))
    return signJws({ x5c }, payload, signer.key)
  }
}
