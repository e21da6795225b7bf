import type { push as french } from '../fra/push.ts'

export const push: typeof french = {
  title: 'Notifications',
  label: 'Notifications for {{name}} on this device',
  note: 'Recordings that are ready, and new episodes of series you record or have in your list.',
  blocked:
    'Notifications from this site are blocked in your browser. Allow them in the site settings, then come back here.',
  unsupported:
    'This browser can’t show notifications. On iPhone and iPad, add the site to the home screen first.',
}
