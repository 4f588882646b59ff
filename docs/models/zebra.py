"""Zebra puzzle: five houses in a row. Who has the zebra, who drinks water? (Life, 1962)

Each variable is the number of the house of a colour, a person, a pet, a drink, a brand.
"""

import concord

m = concord.Model()


def houses(*names):
    found = [m.int(1, 5, name) for name in names]
    m.add(concord.all_different(found))
    return found


red, green, ivory, yellow, blue = houses("red", "green", "ivory", "yellow", "blue")
people = houses("English", "Spanish", "Ukrainian", "Norwegian", "Japanese")
english, spanish, ukrainian, norwegian, japanese = people
dog, snails, fox, horse, zebra = houses("dog", "snails", "fox", "horse", "zebra")
coffee, tea, milk, juice, water = houses("coffee", "tea", "milk", "juice", "water")
old_gold, kools, chesterfields, lucky_strike, parliaments = houses(
    "Old Gold", "Kools", "Chesterfields", "Lucky Strike", "Parliaments"
)

m.add(english == red, spanish == dog, coffee == green, ukrainian == tea, green == ivory + 1)
m.add(old_gold == snails, kools == yellow, milk == 3, norwegian == 1)
m.add(abs(chesterfields - fox) == 1, abs(kools - horse) == 1)
m.add(lucky_strike == juice, japanese == parliaments, abs(norwegian - blue) == 1)

if __name__ == "__main__":
    (only,) = m.solutions()
    owner = {only[person]: person.name for person in people}
    print(f"the {owner[only[zebra]]} has the zebra, the {owner[only[water]]} drinks water")
    assert owner[only[zebra]] == "Japanese"
    assert owner[only[water]] == "Norwegian"
