export const tag = {
  live: 'Direct',
  new: 'Nouveau',
  leaving: 'J-{{count}}',
  leavingLabel_one: 'Plus que {{count}} jour',
  leavingLabel_other: 'Plus que {{count}} jours',
  locked: 'Verrouillé',
  preparing: 'Bientôt',
  preparingLabel: 'En préparation',
  failed: 'Indisponible',
  adult: 'Réservé aux adultes',
}
