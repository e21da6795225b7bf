import type { offers as french } from '../fra/offers.ts'

export const offers: typeof french = {
  elsewhereTitle: 'Your seat is waiting',
  elsewhere: 'You subscribe in our shop. Then come back here to watch.',
  subscribe: 'Subscribe',
  closedTitle: 'No offers right now',
  closed: 'Nothing is for sale at the moment. The catalogue is still open.',
  toCatalogue: 'See the catalogue',
}
