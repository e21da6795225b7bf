import type { Language } from '@ondine/contract/languages'
import { amountText } from '@ondine/contract/money'
import type { PlanChange as PresentedChange } from '@ondine/contract/subscriptions'
import { titleOf } from './offer-title.ts'
import type { PlanChange } from './plan-changes.ts'
import { periodicity } from './subscriptions.service.ts'

/** A plan that a subscription can change to, as it travels. */
export function presentChange(
  { offer, starts, at, cents, creditCents, until, ends }: PlanChange,
  language: Language,
): PresentedChange {
  return {
    idOption: offer.id,
    idRevision: offer.revisionId,
    title: titleOf(offer, language),
    periodicity: periodicity(offer),
    priceWithVat: amountText(offer.terms.cents),
    starts,
    at: Math.floor(at / 1000),
    amount: amountText(cents),
    credit: amountText(creditCents),
    until: Math.floor(until / 1000),
    endsOptions: ends.map((option) => titleOf(option.offer, language)),
  }
}
