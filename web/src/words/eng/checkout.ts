import type { checkout as french } from '../fra/checkout.ts'

export const checkout: typeof french = {
  title: 'Checkout',
  frame: 'Payment page of the subscription service',
  waiting: 'Preparing the payment page…',
  noPayment: 'No payment in progress',
  choosePlan: 'Choose a plan to get started.',
  toOffers: 'View the plans',
  errorTitle: 'The payment page doesn’t open',
  error: 'The subscription service isn’t responding. Nothing was charged. Please try again in a moment.',
  refused: 'This plan can’t be bought at the moment.',
  again: 'Try again',
  checkingTitle: 'Checking your purchase',
  checking: 'The subscription service is confirming your purchase. This page moves on by itself.',
  doneTitle: 'Confirmation of your subscription!',
  done: 'All set: you can start watching.',
  lateTitle: 'Your purchase isn’t confirmed yet',
  late: 'Confirmation can take a few minutes. Your subscription will appear in your account.',
  home: 'Go to home',
  products: 'View my subscriptions',
}
