import type { remote as french } from '../fra/remote.ts'

export const remote: typeof french = {
  title: 'Remote control',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  ok: 'OK',
  back: 'Back',
}
