import { amountText } from '@ondine/contract/money'
import type { OperatedVoucher } from './operated-vouchers.ts'
import type { Given } from './voucher-terms.ts'

/** Returns a voucher in the form of the operators' API. */
export function presentVoucher({ key, terms, withdrawnAt, codes, uses }: OperatedVoucher) {
  const { gives, offers, validFrom, validTo, usesPerCode, usesPerAccount } = terms
  return {
    key,
    gives: wordsOf(gives),
    offers,
    codes,
    uses,
    usesPerCode,
    usesPerAccount,
    validFrom: secondsOf(validFrom),
    validTo: secondsOf(validTo),
    withdrawnAt: secondsOf(withdrawnAt),
  }
}

function wordsOf(gives: Given): string {
  switch (gives.kind) {
    case 'percentage':
      return `${gives.basisPoints / 100} %`
    case 'fixed':
      return `${amountText(gives.cents)} EUR`
    default:
      return `${gives.offer} for ${gives.months} ${gives.months === 1 ? 'month' : 'months'}`
  }
}

function secondsOf(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.floor(milliseconds / 1000)
}
