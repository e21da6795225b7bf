export const live = {
  title: 'En direct',
  lead: 'En ce moment sur toutes les chaînes.',
  empty: 'Aucune chaîne pour l’instant. Elles arriveront avec les premiers films.',
  later: 'Aujourd’hui sur {{channel}}',
  wholeDay: 'Toute la journée',
  noProgramme: 'Programme non communiqué',
  noneLater: 'Aucun autre programme n’est annoncé pour aujourd’hui.',
  noProgrammes: 'Les programmes de cette chaîne ne sont pas encore disponibles.',
  channels: 'Toutes les chaînes',
  previousChannels: 'Chaînes précédentes',
  nextChannels: 'Chaînes suivantes',
  progress: 'Avancement : {{title}}',
}
