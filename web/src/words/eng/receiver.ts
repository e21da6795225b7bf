import type { receiver as french } from '../fra/receiver.ts'

export const receiver: typeof french = {
  title: 'Receiver',
  ready: 'Ready to cast',
  text: 'Choose something to watch on your phone or computer.',
  pair: 'Pair this screen with an account',
}
