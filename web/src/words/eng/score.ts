import type { score as french } from '../fra/score.ts'

export const score: typeof french = {
  own: 'Your rating',
  give: '{{score}} out of {{max}}',
  average_one: 'Viewers’ rating: {{score}} out of {{max}} ({{count}} rating)',
  average_other: 'Viewers’ rating: {{score}} out of {{max}} ({{count}} ratings)',
}
