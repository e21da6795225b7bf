export const live = {
  title: 'En direct',
  lead: 'En ce moment sur toutes les chaînes.',
  empty: 'Aucune chaîne n’est encore disponible. Elles arriveront avec les premiers films.',
  later: 'Aujourd’hui sur {{channel}}',
  wholeDay: 'Toute la journée',
  noProgramme: 'Programme non communiqué',
  noProgrammes: 'Le programme de cette chaîne n’est pas encore disponible.',
  channels: 'Toutes les chaînes',
  progress: 'Avancement de {{title}}',
}
