/** Behaviour of a test card. */
export type CardBehaviour =
  | 'succeeds'
  | 'declined'
  | 'asksConfirmation'
  | 'failsAtRenewal'
  | 'answersLate'
  | 'expiresSoon'

/** A test card of the sandbox bank. No real bank issues these card numbers. */
export interface SandboxCard {
  number: string
  brand: string
  behaviour: CardBehaviour
  /** Validity of the card after its first payment, in days. */
  validDays: number
}

/** Usual validity of a card, in days. */
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

/** Returns the last four digits of a card number. */
export function lastDigitsOf(number: string): string {
  return number.slice(-4)
}
