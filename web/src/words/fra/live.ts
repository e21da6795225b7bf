export const live = {
  title: 'En direct',
  lead: 'Ce qui passe maintenant sur toutes les chaînes.',
  empty: 'Aucune chaîne n’émet encore. Elles s’allument dès que les premiers films sont prêts.',
  later: 'Aujourd’hui sur {{channel}}',
  wholeDay: 'Toute la journée',
  noProgramme: 'Programme à venir',
  noProgrammes: 'Le programme de cette chaîne n’est pas encore connu.',
  channels: 'Toutes les chaînes',
  progress: 'Avancement de {{title}}',
}
