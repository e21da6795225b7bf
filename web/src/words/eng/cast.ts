import type { cast as french } from '../fra/cast.ts'

export const cast: typeof french = {
  controller: 'Playing on another screen',
  choose: 'Play on another screen',
  screens: 'Play on',
  here: 'This device',
  google: 'A Google Cast device',
  notConnected: '{{device}} (open the service on it)',
  screen: 'your screen',
  nothing: 'Nothing playing',
  playsOn: 'On {{device}}',
  failed: 'Can’t play on {{device}}',
  lost: 'The screen isn’t responding',
  running: 'Now playing on another screen',
  control: 'Control',
  controlOf: 'Control “{{title}}” on {{device}}',
  hide: 'Hide',
  leave: 'Stop controlling this screen',
  upNextAt: 'Up next at {{time}}: {{title}}',
  upNext: 'Up next: {{title}}',
  stop: 'Stop casting',
}
