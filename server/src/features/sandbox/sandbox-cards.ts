/** What a test card does. */
export type CardBehaviour =
  | 'succeeds'
  | 'declined'
  | 'asksConfirmation'
  | 'failsAtRenewal'
  | 'answersLate'
  | 'expiresSoon'

/** A card of the sandbox bank. Its number is one that no bank gives out. */
export interface SandboxCard {
  number: string
  brand: string
  behaviour: CardBehaviour
  /** How long it can pay from its first payment on. */
  validDays: number
}

/** Days that a card is good for as a rule. */
const LONG = 1461

/** The test cards, in the order in which the page shows them. */
export const SANDBOX_CARDS: readonly SandboxCard[] = [
  { number: '4242424242424242', brand: 'visa', behaviour: 'succeeds', validDays: LONG },
  { number: '4000000000000002', brand: 'visa', behaviour: 'declined', validDays: LONG },
  { number: '4000000000003220', brand: 'visa', behaviour: 'asksConfirmation', validDays: LONG },
  { number: '5555555555550341', brand: 'mastercard', behaviour: 'failsAtRenewal', validDays: LONG },
  { number: '5555555555550119', brand: 'mastercard', behaviour: 'answersLate', validDays: LONG },
  { number: '4000000000000069', brand: 'visa', behaviour: 'expiresSoon', validDays: 50 },
]

export function cardOf(number: string): SandboxCard | undefined {
  return SANDBOX_CARDS.find((card) => card.number === number)
}

/** The digits by which people know a card. */
export function lastDigitsOf(number: string): string {
  return number.slice(-4)
}
