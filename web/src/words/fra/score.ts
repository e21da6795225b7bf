export const score = {
  own: 'Votre note',
  give: '{{score}} sur {{max}}',
  average_one: 'Note des spectateurs : {{score}} sur {{max}} ({{count}} avis)',
  average_other: 'Note des spectateurs : {{score}} sur {{max}} ({{count}} avis)',
}
