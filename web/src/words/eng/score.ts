import type { score as french } from '../fra/score.ts'

export const score: typeof french = {
  own: 'Your score',
  give: '{{score}} out of {{max}}',
  average_one: 'Viewers’ score: {{score}} out of {{max}} ({{count}} score)',
  average_other: 'Viewers’ score: {{score}} out of {{max}} ({{count}} scores)',
}
