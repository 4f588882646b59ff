"""SEND + MORE = MONEY: a digit for each letter (H. E. Dudeney, 1924). 9567 + 1085 = 10652."""

import concord

m = concord.Model()
letters = {letter: m.int(0, 9, letter) for letter in "SENDMORY"}


def number(word):
    value = 0
    for letter in word:
        value = 10 * value + letters[letter]
    return value


m.add(concord.all_different(letters.values()))
m.add(letters["S"] > 0, letters["M"] > 0)
m.add(number("SEND") + number("MORE") == number("MONEY"))

if __name__ == "__main__":
    (only,) = m.solutions()
    print(only)
    assert only[number("SEND")] == 9567
    assert only[number("MORE")] == 1085
    assert only[number("MONEY")] == 10652
