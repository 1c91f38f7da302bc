import type { EventData } from "../demo-company.js";

export const SPREEWERK_EVENTS: readonly EventData[] = [
  {
    name: "Schüttel-Wochen",
    status: "running",
    startsDaysAgo: 5,
    config: {
      couponSeeds: [
        { maxCount: 3, winRate: 500, couponValueE2: 10_000, winnerMessage: "Hauptgewinn: 100 Euro!" },
        { maxCount: 400, winRate: 10, couponValuePrc: 0.05, couponMinPurchaseE2: 5_000 },
      ],
      randomLength: 12,
      winnerMessage: "Gewonnen! Der Gutschein gehört dir.",
      alreadyWonMessage: "Du hast schon gewonnen.",
      loserMessage: "Leider nichts. Gleich noch einmal!",
    },
  },
  {
    name: "Frühlingsputz",
    status: "finished",
    startsDaysAgo: 70,
    endsDaysAgo: 60,
    config: {
      couponSeeds: [{ maxCount: 15, winRate: 6, couponValuePrc: 0.1, couponAppliesTo: "subtotal" }],
      winnerMessage: "Zehn Prozent auf alles zum Putzen!",
      loserMessage: "Diesmal nicht.",
    },
  },
  {
    name: "Nikolausaktion",
    status: "pending",
    config: {
      couponSeeds: [{ maxCount: 500, winRate: 4, couponValueE2: 600 }],
      winnerMessage: "Der Nikolaus war da.",
      loserMessage: "Der Stiefel ist leer.",
    },
  },
];
