import type {
  Environment,
  JWSRenewalInfoDecodedPayload,
  JWSTransactionDecodedPayload,
  SignedDataVerifier,
} from '@apple/app-store-server-library'
import { ServiceError } from '../../../http/errors.ts'
import type { StoreStatement } from './store-statement.ts'

/** Settings for verifying signed data. */
export interface AppStoreOptions {
  bundleId: string
  /** Id of the app in the App Store. */
  appId: number
  /** Root certificates, as PEM or DER. */
  roots: readonly Buffer[]
  /** Environments of the App Store whose purchases are accepted. Purchases in `Sandbox` cost nothing. */
  environments: readonly `${Environment.PRODUCTION | Environment.SANDBOX}`[]
  /** Whether to ask Apple about revoked certificates. */
  checksRevocation: boolean
}

/** Verifies and reads data that the App Store has signed (StoreKit 2, App Store Server Notifications V2). */
export class AppStore {
  readonly #options: AppStoreOptions
  #verifiers: Promise<SignedDataVerifier[]> | undefined

  constructor(options: AppStoreOptions) {
    this.#options = options
  }

  /**
   * Verifies a signed transaction. Returns its content as a statement.
   *
   * @returns undefined if the transaction is forged, or belongs to another app
   * @throws ServiceError paymentProviderSilent if Apple does not answer when a certificate is checked
   */
  async readTransaction(signed: string): Promise<StoreStatement | undefined> {
    const transaction = await this.#verified(async (by) => await by.verifyAndDecodeTransaction(signed))
    return transaction && statementOf(transaction)
  }

  /**
   * Verifies a signed notification. Returns its content as a statement.
   *
   * @returns undefined if the notification is forged, or belongs to another app; null if it is not about a
   * purchase
   * @throws ServiceError paymentProviderSilent if Apple does not answer when a certificate is checked
   */
  async readNotice(signed: string): Promise<StoreStatement | null | undefined> {
    return await this.#verified(async (by) => {
      const { data, signedDate } = await by.verifyAndDecodeNotification(signed)
      if (data?.signedTransactionInfo === undefined) return null
      const transaction = await by.verifyAndDecodeTransaction(data.signedTransactionInfo)
      const renewal =
        data.signedRenewalInfo === undefined
          ? undefined
          : await by.verifyAndDecodeRenewalInfo(data.signedRenewalInfo)
      return statementOf({ ...transaction, ...(signedDate !== undefined && { signedDate }) }, renewal) ?? null
    })
  }

  /**
   * Returns the result of the first verifier that accepts the signed data; undefined if every verifier rejects it.
   */
  async #verified<Read>(read: (by: SignedDataVerifier) => Promise<Read>): Promise<Read | undefined> {
    const { VerificationException, VerificationStatus } = await import('@apple/app-store-server-library')
    this.#verifiers ??= this.#open()
    for (const verifier of await this.#verifiers) {
      try {
        return await read(verifier)
      } catch (error) {
        if (!(error instanceof VerificationException)) throw error
        if (error.status === VerificationStatus.RETRYABLE_VERIFICATION_FAILURE)
          throw new ServiceError('paymentProviderSilent', null, { cause: error })
      }
    }
    return undefined
  }

  async #open(): Promise<SignedDataVerifier[]> {
    const { Environment, SignedDataVerifier } = await import('@apple/app-store-server-library')
    const { roots, checksRevocation, environments, bundleId, appId } = this.#options
    // Pass no other environment: the library does not verify signatures in its local testing environments.
    return environments.map((name) => {
      const environment = name === 'Sandbox' ? Environment.SANDBOX : Environment.PRODUCTION
      return new SignedDataVerifier([...roots], checksRevocation, environment, bundleId, appId)
    })
  }
}

/** Converts an App Store transaction to a statement. @returns undefined if a required field is missing */
function statementOf(
  transaction: JWSTransactionDecodedPayload,
  renewal?: JWSRenewalInfoDecodedPayload,
): StoreStatement | undefined {
  const { transactionId, originalTransactionId, productId, purchaseDate, signedDate } = transaction
  if (transactionId === undefined || originalTransactionId === undefined || productId === undefined)
    return undefined
  if (purchaseDate === undefined || signedDate === undefined) return undefined
  return {
    store: 'apple',
    purchase: originalTransactionId,
    saidAt: signedDate,
    renews: renewal && renewal.autoRenewStatus === 1,
    transactions: [
      {
        reference: transactionId,
        productId,
        startsAt: purchaseDate,
        endsAt: transaction.expiresDate ?? null,
        graceUntil: renewal && (renewal.gracePeriodExpiresDate ?? null),
        revokedAt: transaction.revocationDate ?? null,
      },
    ],
    checkAt: null,
  }
}
